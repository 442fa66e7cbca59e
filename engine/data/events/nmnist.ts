import { BoundedReader, refuseFile } from '../files/bounded-reader.ts';
import { collectEvents, type EventList, type SensorSize } from './event-list.ts';
import { collectionOf, type EventFileOptions } from './event-options.ts';

/**
 * An event: column, row, then 24 bits big-endian, the highest of which is the polarity and the rest the time
 * in microseconds.
 */
const EVENT_BYTES = 5;
/** A row that no such camera has: it says that the clock of 23 bits was wound on by so much. */
const OVERFLOW_ROW = 240;
const OVERFLOW_MICROSECONDS = 2 ** 13;
const SENSOR: SensorSize = { width: 34, height: 34 };

/**
 * Reads a `.bin` file of N-MNIST (Orchard et al. 2015), 34 x 34 pixels; N-Caltech101 has the same format and
 * needs its `sensor` to be given. Throws EngineError `dataset-invalid`.
 */
export function parseNmnist(
  name: string,
  file: Uint8Array,
  options: EventFileOptions = {},
): EventList {
  const refuse = refuseFile(name, 'N-MNIST events');
  const reader = new BoundedReader(file, refuse, 'big');
  const whole = reader.size - (reader.size % EVENT_BYTES);
  if (whole !== reader.size) {
    refuse(whole, `${reader.size - whole} bytes are left`, `events of ${EVENT_BYTES} bytes each`);
  }
  return collectEvents(
    (emit) => {
      let passed = 0;
      for (let at = 0; at < whole; at += EVENT_BYTES) {
        const y = reader.u8(at + 1);
        if (y === OVERFLOW_ROW) {
          passed += OVERFLOW_MICROSECONDS;
          continue;
        }
        const time = ((reader.u8(at + 2) & 0x7f) << 16) | reader.u16(at + 3);
        emit(time + passed, reader.u8(at), y, reader.u8(at + 2) >> 7);
      }
    },
    { ...collectionOf(options, SENSOR), refuse },
  );
}
