import { canInflateTo, inflateInto } from '../files/inflate.ts';
import {
  type ColourType,
  parsePngChunks,
  type PngChunks,
  type Refuse,
  refusePng,
} from './png-chunks.ts';

/** A decoded image. */
export interface DecodedImage {
  readonly width: number;
  readonly height: number;
  /** `[height][width][4]`: red, green, blue and opacity, 0 to 255. */
  readonly rgba: Uint8Array;
}

/** Channels of a pixel as it is stored. */
const CHANNELS: Readonly<Record<ColourType, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** One of Adam7's seven passes: every `stepX`th pixel from `x` on, likewise in y. */
interface Pass {
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
}

const WHOLE: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** Default limit of an image's pixels. */
const MAX_PIXELS = 2 ** 24;

/**
 * Decodes a PNG file (ISO/IEC 15948) of any colour type and depth, interlaced or not; 16 bits are rounded to
 * 8, gamma is ignored. Throws EngineError `images-invalid` that names the file, what is wrong with it and
 * what was expected. Allocates memory for at most `maxPixels` pixels.
 */
export function decodePng(name: string, file: Uint8Array, maxPixels = MAX_PIXELS): DecodedImage {
  const refuse = refusePng(name);
  const png = parsePngChunks(file, maxPixels, refuse);
  const { width, height } = png;
  const passes = (png.isInterlaced ? ADAM7 : WHOLE).map((pass) => sized(pass, png));
  const lines = inflate(png, bytesOf(passes), refuse);
  const rgba = new Uint8Array(4 * width * height);
  let at = 0;
  for (const pass of passes) {
    for (let row = 0; row < pass.rows; row++) {
      const line = { at, bytes: pass.lineBytes, isFirst: row === 0 };
      unfilter(lines, line, bytesPerPixel(png), refuse);
      placeRow(png, lines.subarray(at + 1, at + 1 + pass.lineBytes), { pass, row, rgba }, refuse);
      at += 1 + pass.lineBytes;
    }
  }
  return { width, height, rgba };
}

interface SizedPass extends Pass {
  readonly columns: number;
  readonly rows: number;
  /** Bytes of a line without the number of its filter. */
  readonly lineBytes: number;
}

/** A pass without columns has no lines either. */
function sized(pass: Pass, { width, height, depth, colour }: PngChunks): SizedPass {
  const columns = Math.max(0, Math.ceil((width - pass.x) / pass.stepX));
  const rows = columns === 0 ? 0 : Math.max(0, Math.ceil((height - pass.y) / pass.stepY));
  return { ...pass, columns, rows, lineBytes: Math.ceil((columns * CHANNELS[colour] * depth) / 8) };
}

function bytesOf(passes: readonly SizedPass[]): number {
  return passes.reduce((bytes, { rows, lineBytes }) => bytes + rows * (1 + lineBytes), 0);
}

function bytesPerPixel({ colour, depth }: PngChunks): number {
  return Math.max(1, (CHANNELS[colour] * depth) / 8);
}

/** The filtered lines. */
function inflate({ packed }: PngChunks, bytes: number, refuse: Refuse): Uint8Array {
  if (!canInflateTo(packed.length, bytes)) {
    refuse(`its pixels cannot be unpacked: ${packed.length} bytes cannot hold ${bytes}`);
  }
  const out = new Uint8Array(bytes);
  let found: number;
  try {
    found = inflateInto('zlib', packed, out);
  } catch (cause) {
    return refuse(
      `its pixels cannot be unpacked: ${cause instanceof Error ? cause.message : cause}`,
    );
  }
  if (found < bytes) refuse(`its pixels unpack to ${found} bytes, expected ${bytes}`);
  if (found > bytes) refuse(`its pixels unpack to more than the ${bytes} bytes expected`);
  return out;
}

interface Line {
  /** Offset of the filter byte; the bytes of the line follow. */
  readonly at: number;
  readonly bytes: number;
  readonly isFirst: boolean;
}

/** Reverses a line's filter in place; the line above is already unfiltered. */
function unfilter(
  lines: Uint8Array,
  { at, bytes, isFirst }: Line,
  pixel: number,
  refuse: Refuse,
): void {
  const predict = predictors[lines[at] ?? 0];
  if (!predict) return refuse(`a line has the filter ${lines[at]}, expected 0 to 4`);
  const line = lines.subarray(at + 1, at + 1 + bytes);
  const above = isFirst ? new Uint8Array() : lines.subarray(at - bytes, at);
  for (let i = 0; i < bytes; i++) {
    const byte = line[i] ?? 0;
    line[i] = byte + predict(line[i - pixel] ?? 0, above[i] ?? 0, above[i - pixel] ?? 0);
  }
}

/** Predictors: none, left, up, average, Paeth. */
const predictors: readonly ((left: number, up: number, upLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
];

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}

interface Target {
  readonly pass: SizedPass;
  readonly row: number;
  readonly rgba: Uint8Array;
}

/** Writes the pixels of an unfiltered line. */
function placeRow(png: PngChunks, line: Uint8Array, target: Target, refuse: Refuse): void {
  const { pass, row, rgba } = target;
  const stored = CHANNELS[png.colour];
  const samples = Array.from({ length: stored }, () => 0);
  for (let column = 0; column < pass.columns; column++) {
    for (let c = 0; c < stored; c++) samples[c] = sampleAt(line, column * stored + c, png.depth);
    const [x, y] = [pass.x + column * pass.stepX, pass.y + row * pass.stepY];
    rgba.set(colourOf(png, samples, refuse), 4 * (y * png.width + x));
  }
}

/** A sample of 1 to 16 bits, most significant bits first. */
function sampleAt(line: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return line[index] ?? 0;
  if (depth === 16) return ((line[2 * index] ?? 0) << 8) | (line[2 * index + 1] ?? 0);
  const bit = index * depth;
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

type Rgba = readonly [red: number, green: number, blue: number, opacity: number];

const OPAQUE = 255;

/** A pixel's samples as red, green, blue and opacity. */
function colourOf(png: PngChunks, samples: readonly number[], refuse: Refuse): Rgba {
  const [first = 0] = samples;
  if (png.colour === 3) return paletteColour(png, first, refuse);
  const max = 2 ** png.depth - 1;
  const [red = 0, green = 0, blue = 0] = samples.length < 3 ? [first, first, first] : samples;
  const visible = isClear(png.transparency, samples) ? 0 : max;
  // The kinds with an opacity have an even number of channels.
  const opacity = samples.length % 2 === 0 ? (samples.at(-1) ?? max) : visible;
  const scaled = (sample: number) => Math.round((sample * OPAQUE) / max);
  return [scaled(red), scaled(green), scaled(blue), scaled(opacity)];
}

function paletteColour({ palette, transparency }: PngChunks, index: number, refuse: Refuse): Rgba {
  const entries = palette.length / 3;
  if (index >= entries) refuse(`a pixel has colour ${index} of a palette of ${entries}`);
  const [red = 0, green = 0, blue = 0] = palette.subarray(3 * index, 3 * index + 3);
  return [red, green, blue, transparency[index] ?? OPAQUE];
}

/** Whether the samples are the transparent colour. */
function isClear(transparency: Uint8Array, samples: readonly number[]): boolean {
  if (transparency.length === 0) return false;
  return samples.every((sample, i) => sample === sampleAt(transparency, i, 16));
}
