import { crc32, deflateSync } from 'node:zlib';

/** A picture as a PNG file stores it. */
export interface StoredPicture {
  readonly width: number;
  readonly height: number;
  readonly colour: number;
  readonly depth: number;
  /** Row after row, the channels of a pixel side by side. */
  readonly samples: ArrayLike<number>;
  readonly isInterlaced?: boolean;
  /** The filter of each line, over and over. */
  readonly filters?: readonly number[];
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
}

export const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function chunk(kind: string, content: ArrayLike<number>): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), Uint8Array.from(content)]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

export function pngOf(chunks: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat([Uint8Array.from(SIGNATURE), ...chunks]));
}

export function headerOf({
  width,
  height,
  colour,
  depth,
  isInterlaced = false,
}: Omit<StoredPicture, 'samples'>): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, Number(isInterlaced)], 8);
  return chunk('IHDR', header);
}

/** Writes a PNG file, its pixels split over two chunks. */
export function encodePng(picture: StoredPicture): Uint8Array {
  const packed = deflateSync(Buffer.concat(linesOf(picture)));
  const { palette, transparency } = picture;
  return pngOf([
    headerOf(picture),
    ...(palette ? [chunk('PLTE', palette)] : []),
    ...(transparency ? [chunk('tRNS', transparency)] : []),
    chunk('tEXt', Buffer.from('Comment\0passed over')),
    chunk('IDAT', packed.subarray(0, 5)),
    chunk('IDAT', packed.subarray(5)),
    chunk('IEND', []),
  ]);
}

/** The pass, 1 to 7, of each pixel of an 8 x 8 square: the figure in the standard. */
const ADAM7 = [
  '16462646',
  '77777777',
  '56565656',
  '77777777',
  '36463646',
  '77777777',
  '56565656',
  '77777777',
];

function linesOf(picture: StoredPicture): Uint8Array[] {
  const { width, height, colour, depth, samples, isInterlaced = false, filters = [0] } = picture;
  const channels = CHANNELS[colour]!;
  const pixel = Math.max(1, (channels * depth) / 8);
  const lines: Uint8Array[] = [];
  for (const pass of isInterlaced ? '1234567' : 'x') {
    let above: number[] | undefined;
    for (let y = 0; y < height; y++) {
      const columns = [...Array(width).keys()].filter(
        (x) => !isInterlaced || ADAM7[y % 8]![x % 8] === pass,
      );
      if (columns.length === 0) continue;
      const line = columns.flatMap((x) =>
        Array.from({ length: channels }, (_, c) => samples[(y * width + x) * channels + c]!),
      );
      const bytes = pack(line, depth);
      const filter = filters[lines.length % filters.length]!;
      lines.push(Uint8Array.from([filter, ...filtered(bytes, above, filter, pixel)]));
      above = bytes;
    }
  }
  return lines;
}

function pack(line: readonly number[], depth: number): number[] {
  const bits = line.map((sample) => sample.toString(2).padStart(depth, '0')).join('');
  return (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}

function filtered(
  bytes: readonly number[],
  above: readonly number[] | undefined,
  filter: number,
  pixel: number,
): number[] {
  return bytes.map((byte, i) => {
    const [a, b, c] = [bytes[i - pixel] ?? 0, above?.[i] ?? 0, above?.[i - pixel] ?? 0];
    const p = a + b - c;
    // Of those nearest to p the first: left, above, upper left.
    const [nearest] = [a, b, c].toSorted((x, y) => Math.abs(p - x) - Math.abs(p - y));
    return byte - [0, a, b, Math.floor((a + b) / 2), nearest!][filter]!;
  });
}
