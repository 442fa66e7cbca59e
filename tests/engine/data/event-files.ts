import type { EventList } from '../../../engine/data/events/event-list.ts';

/** An event as `[t, x, y, p]`. */
export type Row = readonly [t: number, x: number, y: number, p: number];

/** The events of a list as rows, with the times as they are in the file. */
export function rowsOf({ t, x, y, p, start }: EventList): Row[] {
  return Array.from(t, (time, i) => [time + start, x[i]!, y[i]!, p[i]!]);
}

const text = (...lines: string[]) => new TextEncoder().encode(lines.map((l) => `${l}\n`).join(''));
const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((p) => [...p]));

function words(bytes: 2 | 4, all: readonly number[], isLittle = true): Uint8Array {
  const out = new DataView(new ArrayBuffer(bytes * all.length));
  for (const [i, word] of all.entries()) {
    if (bytes === 2) out.setUint16(2 * i, word, isLittle);
    else out.setUint32(4 * i, word, isLittle);
  }
  return new Uint8Array(out.buffer);
}

/** A RAW file of EVT 3.0. */
export const evt3File = (all: readonly number[], ...header: string[]): Uint8Array =>
  joined(text('% evt 3.0', ...header, '% end'), words(2, all));

export const evt2File = (all: readonly number[], ...header: string[]): Uint8Array =>
  joined(text('% date 2020-09-14', '% evt 2.0', ...header), words(4, all));

/** A DAT file; the header is that of the example in Prophesee's description. */
export const datFile = (all: readonly number[], type = 12): Uint8Array =>
  joined(
    text('% Data file containing CD events', '% Version 2', '% Width 640', '% Height 480'),
    Uint8Array.of(type, 8),
    words(4, all),
  );

/** An AEDAT 2.0 file of addresses and times. */
export const aedat2File = (chip: string, all: readonly number[]): Uint8Array =>
  joined(
    text('#!AER-DAT2.0\r', '# This is a raw AE data file - do not edit\r', `# AEChip: ${chip}\r`),
    words(4, all, false),
  );

/** The first eight events of a recording of N-MNIST (Orchard et al. 2015, CC BY-SA 4.0). */
export const NMNIST = Uint8Array.from(
  '070f80028e 1312000bb7 1511000bc9 0a12000f35 0c09800fb7 0e09800fbf 20068016ea 0d0a801cb9'
    .replaceAll(' ', '')
    .match(/../g)!,
  (hex) => parseInt(hex, 16),
);
