import { EngineError } from '../../errors.ts';
import { crc32 } from '../files/inflate.ts';

/** Grey, RGB, palette, grey with opacity, RGB with opacity: the colour types of PNG. */
export type ColourType = 0 | 2 | 3 | 4 | 6;

/** The chunks of a PNG file, its pixels still compressed. */
export interface PngChunks {
  readonly width: number;
  readonly height: number;
  /** Bits of one channel of a pixel, or of an index into the palette. */
  readonly depth: number;
  readonly colour: ColourType;
  readonly isInterlaced: boolean;
  /** Red, green, blue of each entry; empty without one. */
  readonly palette: Uint8Array;
  /** The opacity of palette entries, or the one colour that is clear; empty without one. */
  readonly transparency: Uint8Array;
  /** One zlib stream. */
  readonly packed: Uint8Array;
}

export type Refuse = (message: string) => never;

/** How a file is refused: EngineError `images-invalid` with its name. */
export function refusePng(name: string): Refuse {
  return (message) => {
    throw new EngineError('images-invalid', `${name} is no PNG file that can be read: ${message}`);
  };
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER_BYTES = 13;
/** Length and kind before a chunk's content, its checksum after. */
const AROUND_BYTES = 12;

/** The depths that each colour type may have. */
const DEPTHS: Readonly<Record<ColourType, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

interface Chunk {
  readonly kind: string;
  readonly content: Uint8Array;
}

/** Parses a PNG file and checks the checksum of each chunk. `maxPixels` bounds the header. */
export function parsePngChunks(file: Uint8Array, maxPixels: number, refuse: Refuse): PngChunks {
  if (!SIGNATURE.every((byte, i) => file[i] === byte)) {
    refuse(`it starts with ${hex(file.subarray(0, SIGNATURE.length))}, expected ${hex(SIGNATURE)}`);
  }
  const chunks = [...chunksOf(file, refuse)];
  const [first] = chunks;
  if (first?.kind !== 'IHDR') return refuse(`its first chunk is ${first?.kind}, expected IHDR`);
  checkKinds(chunks, refuse);
  const header = parseHeader(first.content, maxPixels, refuse);
  const contentOf = (kind: string) =>
    chunks.find((chunk) => chunk.kind === kind)?.content ?? new Uint8Array();
  const palette = contentOf('PLTE');
  const colours = palette.length / 3;
  if (!Number.isInteger(colours) || colours > 256 || (header.colour === 3 && colours === 0)) {
    refuse(`its palette has ${palette.length} bytes, expected 3 for each of 1 to 256 colours`);
  }
  const packed = joined(chunks.filter(({ kind }) => kind === 'IDAT'));
  return { ...header, palette, transparency: transparencyOf(header, contentOf), packed };
}

/** Refuses duplicate chunks, and critical chunks that are unknown. */
function checkKinds(chunks: readonly Chunk[], refuse: Refuse): void {
  const unknown = chunks.find(({ kind }) => isCritical(kind) && !KNOWN.has(kind));
  if (unknown) refuse(`it needs the chunk ${unknown.kind}, which is unknown`);
  for (const kind of ['IHDR', 'PLTE', 'tRNS']) {
    const count = chunks.filter((chunk) => chunk.kind === kind).length;
    if (count > 1) refuse(`it has ${count} chunks ${kind}, expected one at most`);
  }
}

const KNOWN = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND']);

/** An upper-case first letter marks a chunk without which an image cannot be decoded. */
function isCritical(kind: string): boolean {
  return /^[A-Z]/.test(kind);
}

/** Chunks up to IEND. */
function* chunksOf(file: Uint8Array, refuse: Refuse): Generator<Chunk> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = SIGNATURE.length; ;) {
    const left = file.length - at - AROUND_BYTES;
    if (left < 0) refuse(`it ends after ${file.length} bytes, before its chunk IEND`);
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...file.subarray(at + 4, at + 8));
    if (!/^[A-Za-z]{4}$/.test(kind)) {
      refuse(`the chunk at byte ${at} is ${JSON.stringify(kind)}, expected four letters`);
    }
    if (length > left) refuse(`chunk ${kind} at byte ${at} says ${length} bytes, ${left} are left`);
    const end = at + 8 + length;
    const [found, expected] = [view.getUint32(end), crc32(file.subarray(at + 4, end))];
    if (found !== expected) {
      refuse(`chunk ${kind} at byte ${at} has the sum ${word(found)}, expected ${word(expected)}`);
    }
    yield { kind, content: file.subarray(at + 8, end) };
    if (kind === 'IEND') return;
    at = end + 4;
  }
}

type Header = Pick<PngChunks, 'width' | 'height' | 'depth' | 'colour' | 'isInterlaced'>;

function parseHeader(content: Uint8Array, maxPixels: number, refuse: Refuse): Header {
  if (content.length !== HEADER_BYTES) {
    refuse(`its header has ${content.length} bytes, expected ${HEADER_BYTES}`);
  }
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const pixels = width * height;
  if (pixels === 0 || pixels > maxPixels) {
    refuse(`it is ${width} x ${height} pixels, expected 1 to ${maxPixels} in all`);
  }
  const [depth, colour] = [view.getUint8(8), view.getUint8(9)];
  if (!isColourType(colour) || !DEPTHS[colour].includes(depth)) {
    return refuse(`colour type ${colour} with ${depth} bits is none of PNG's`);
  }
  const methods = content.subarray(10);
  // Not String(methods): that of a Buffer is text.
  if (!['0,0,0', '0,0,1'].includes(methods.join())) {
    refuse(
      `compression, filter and interlacing are ${methods.join(', ')}: expected 0, 0 and 0 or 1`,
    );
  }
  return { width, height, depth, colour, isInterlaced: methods[2] === 1 };
}

function isColourType(colour: number): colour is ColourType {
  return Object.hasOwn(DEPTHS, colour);
}

/** A chunk that does not fit the colour type is ignored. */
function transparencyOf({ colour }: Header, contentOf: (kind: string) => Uint8Array): Uint8Array {
  const content = contentOf('tRNS');
  const expected = { 0: 2, 2: 6, 3: content.length, 4: 0, 6: 0 }[colour];
  return content.length === expected ? content : new Uint8Array();
}

function joined(chunks: readonly Chunk[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((bytes, { content }) => bytes + content.length, 0));
  let at = 0;
  for (const { content } of chunks) {
    whole.set(content, at);
    at += content.length;
  }
  return whole;
}

function word(value: number): string {
  return value.toString(16).padStart(8, '0');
}

function hex(bytes: ArrayLike<number>): string {
  if (bytes.length === 0) return 'nothing';
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
