import { BoundedReader, refuseFile } from '../files/bounded-reader.ts';
import { collectEvents, type EventList } from './event-list.ts';
import { collectionOf, type EventFileOptions } from './event-options.ts';
import { headerSensor, readTextHeader } from './text-header.ts';
import { createClock } from './wrapping-clock.ts';

const EVENT_BYTES = 8;
/** Events of pixels: 2D events, and those of contrast detection. */
const [EVENT_2D, EVENT_CD] = [0x00, 0x0c];

/**
 * Reads a DAT file of Prophesee with events of contrast detection. Throws EngineError `dataset-invalid`.
 */
export function parseDat(
  name: string,
  file: Uint8Array,
  options: EventFileOptions = {},
): EventList {
  const refuse = refuseFile(name, 'Prophesee DAT');
  const reader = new BoundedReader(file, refuse);
  const header = readTextHeader(reader, '%', (line) => line === 'end');
  if (header.lines.length === 0) refuse(0, 'there is no header', 'lines that begin with "%"');
  const [kind, bytes] = [reader.u8(header.end), reader.u8(header.end + 1)];
  if ((kind !== EVENT_2D && kind !== EVENT_CD) || bytes !== EVENT_BYTES) {
    const expected = `${EVENT_2D} or ${EVENT_CD} of ${EVENT_BYTES} bytes`;
    refuse(header.end, `events are of type ${kind} and have ${bytes} bytes`, expected);
  }
  const start = header.end + 2;
  const rest = (reader.size - start) % EVENT_BYTES;
  if (rest > 0) refuse(reader.size - rest, `${rest} bytes are left`, `${EVENT_BYTES} for an event`);
  return collectEvents(
    (emit) => {
      const clock = createClock();
      for (let at = start; at < reader.size; at += EVENT_BYTES) {
        const word = reader.u32(at + 4);
        const polarity = word >>> 28;
        if (polarity > 1) refuse(at + 4, `the polarity is ${polarity}`, '0 or 1');
        emit(clock(reader.u32(at)), word & 0x3fff, (word >>> 14) & 0x3fff, polarity);
      }
    },
    { ...collectionOf(options, headerSensor(header)), refuse },
  );
}
