import { BoundedReader, refuseFile } from '../files/bounded-reader.ts';
import { collectEvents, type EventList, type SensorSize } from './event-list.ts';
import { collectionOf, type EventFileOptions } from './event-options.ts';
import { readTextHeader, type TextHeader } from './text-header.ts';
import { createClock } from './wrapping-clock.ts';

/** Cameras whose addresses are known. */
type AedatChip = 'dvs128' | 'davis240' | 'davis346';

export interface Aedat2Options extends EventFileOptions {
  /** The camera, where the header has no line `AEChip` that names it. */
  readonly chip?: AedatChip;
}

interface Layout extends SensorSize {
  readonly x: readonly [shift: number, mask: number];
  readonly y: readonly [shift: number, mask: number];
  readonly polarity: number;
  /** Bits that mark what is no event of a pixel: frames, inertia, outer signals. */
  readonly others: number;
}

const davis = { x: [12, 0x3ff], y: [22, 0x1ff], polarity: 11, others: 0x8000_0400 } as const;
const LAYOUTS: Readonly<Record<AedatChip, Layout>> = {
  dvs128: { width: 128, height: 128, x: [1, 0x7f], y: [8, 0x7f], polarity: 0, others: 0x8000 },
  davis240: { width: 240, height: 180, ...davis },
  davis346: { width: 346, height: 260, ...davis },
};

const VERSION = '!AER-DAT2.0';
/** Address and microseconds, 32 bits each, big-endian. */
const EVENT_BYTES = 8;

/**
 * Reads an AEDAT 2.0 file of jAER with the addresses of DVS128, DAVIS240 or DAVIS346. Rows count from the
 * bottom of the image, as they are stored; `flipEvents` turns them. What is no event of a pixel is left out.
 * Throws EngineError `dataset-invalid`.
 */
export function parseAedat2(
  name: string,
  file: Uint8Array,
  options: Aedat2Options = {},
): EventList {
  const refuse = refuseFile(name, 'AEDAT 2.0');
  const reader = new BoundedReader(file, refuse, 'big');
  const header = readTextHeader(reader, '#', (line) => /^(!END-HEADER|End Of ASCII)/i.test(line));
  if (header.lines[0] !== VERSION) {
    refuse(0, `the first line is ${quoted(header.lines[0])}`, `"#${VERSION}"`);
  }
  const layout = LAYOUTS[options.chip ?? chipIn(header) ?? refuse(0, NO_CHIP, EXPECTED_CHIP)];
  const rest = (reader.size - header.end) % EVENT_BYTES;
  if (rest > 0) refuse(reader.size - rest, `${rest} bytes are left`, `${EVENT_BYTES} for an event`);
  return collectEvents(
    (emit) => {
      const clock = createClock();
      for (let at = header.end; at < reader.size; at += EVENT_BYTES) {
        const [address, t] = [reader.u32(at), clock(reader.u32(at + 4))];
        if (address & layout.others) continue;
        emit(
          t,
          bits(address, layout.x),
          bits(address, layout.y),
          bits(address, [layout.polarity, 1]),
        );
      }
    },
    { ...collectionOf(options, layout), refuse },
  );
}

const NO_CHIP = 'no line AEChip of the header names a camera that is known';
const EXPECTED_CHIP = `${Object.keys(LAYOUTS).join(', ')}, which the option \`chip\` may say`;

const bits = (address: number, [shift, mask]: readonly [number, number]) =>
  (address >>> shift) & mask;

function chipIn({ lines }: TextHeader): AedatChip | undefined {
  const line = lines.find((one) => /^AEChip:/i.test(one))?.toLowerCase() ?? '';
  return (['dvs128', 'davis240', 'davis346'] as const).find((chip) => line.includes(chip));
}

function quoted(line: string | undefined): string {
  return line === undefined ? 'missing' : JSON.stringify(line.slice(0, 40));
}
