import { crc32, deflateSync } from 'node:zlib';
import type { InferenceRequest } from '../../edge/inference/contract/open-inference.ts';
import { invalid } from '../../edge/contract/refusal.ts';

/** The size of a model's images, and the sample rate of its audio. */
export interface MediaShapes {
  readonly image?: {
    readonly channels: number;
    readonly height: number;
    readonly width: number;
  };
  readonly audio?: { readonly sampleRateHz: number };
}

/** The members of a model_spec that say so. */
export function mediaShapesOf({ core = {} }: { readonly core?: object }): MediaShapes {
  const {
    image,
    audio,
    sample_rate_hz: sampleRateHz = audio?.sample_rate_hz,
  } = core as {
    readonly image?: MediaShapes['image'];
    readonly sample_rate_hz?: number;
    /** Of a model that takes sounds beside other inputs. */
    readonly audio?: { readonly sample_rate_hz?: number };
  };
  return {
    ...(image && { image }),
    ...(sampleRateHz !== undefined && { audio: { sampleRateHz } }),
  };
}

/** The axes of pictures of a model: a colour has its channels last. */
export const imageAxes = ({ channels, height, width }: NonNullable<MediaShapes['image']>) =>
  channels === 1 ? [height, width] : [height, width, channels];

type Input = InferenceRequest['inputs'][number];

interface Place {
  readonly input: Input;
  /** Of the input in the request. */
  readonly pointer: string;
}

const BRIGHTEST = 255;

/**
 * Pictures `[n, height, width]` or `[n, height, width, channels]` or sounds `[n, samples]` of numbers, each as the
 * file in base64 that `/infer` takes. UINT8 is 0 to 255; FP32 is 0 to 1 for pixels, which have 256 levels,
 * and -1 to 1 for samples.
 *
 * @throws Problem validation_failed
 */
export function mediaFiles(place: Place, shapes: MediaShapes): readonly string[] {
  const { name } = place.input;
  if (name === 'image') return imageFiles(place, shapes);
  if (name === 'audio') return audioFiles(place, shapes);
  throw invalid(
    `${place.pointer}/datatype`,
    'invalid_value',
    `${name} is BYTES, got ${place.input.datatype}`,
  );
}

function imageFiles(place: Place, { image }: MediaShapes): readonly string[] {
  if (!image) throw refuse(place, 'the model sees no pictures');
  const { channels, height, width } = image;
  const axes = imageAxes(image);
  const rows = rowsOf(place, axes, channels === 1 ? [[height, width, 1]] : []);
  const level = place.input.datatype === 'FP32' ? BRIGHTEST : 1;
  const [least, most] = [0, BRIGHTEST / level];
  return rows.map((row) => {
    const pixels = numbersOf(place, row, [least, most]).map((value) => Math.round(value * level));
    return encodePng(Uint8Array.from(pixels), image).toString('base64');
  });
}

function audioFiles(place: Place, { audio }: MediaShapes): readonly string[] {
  if (!audio) throw refuse(place, 'the model hears no sounds');
  const { datatype, shape, parameters = {} } = place.input;
  const { sample_rate_hz: rate = audio.sampleRateHz } = parameters;
  if (typeof rate !== 'number' || !Number.isInteger(rate) || rate < 1 || rate > 1_000_000) {
    throw refuse(place, `sample_rate_hz is ${rate}: expected a whole number from 1 to 1000000`);
  }
  const rows = rowsOf(place, [shape.at(-1) ?? 0]);
  const isBytes = datatype === 'UINT8';
  return rows.map((row) => {
    const samples = numbersOf(place, row, isBytes ? [0, BRIGHTEST] : [-Infinity, Infinity]);
    const centred = isBytes ? samples.map((value) => (value - 128) / 128) : samples;
    return encodeWav(Float32Array.from(centred), rate).toString('base64');
  });
}

/** The numbers of each element of a batch, whose own axes are these or, where there are others, those. */
function rowsOf(
  place: Place,
  axes: readonly number[],
  others: readonly (readonly number[])[] = [],
): readonly (readonly unknown[])[] {
  const { shape, data, datatype } = place.input;
  if (datatype !== 'UINT8' && datatype !== 'FP32') {
    throw invalid(
      `${place.pointer}/datatype`,
      'invalid_value',
      `${place.input.name} is UINT8, FP32 or BYTES, got ${datatype}`,
    );
  }
  const [count = 0, ...own] = shape;
  const size = axes.reduce((product, axis) => product * axis, 1);
  const fits = [axes, ...others].some((known) => known.join() === own.join());
  const numbers = data.flat(Infinity);
  if (!fits || count < 1 || size < 1 || numbers.length !== count * size) {
    throw invalid(
      `${place.pointer}/shape`,
      'invalid_value',
      `[${shape.join(', ')}] with ${numbers.length} numbers: expected [n, ${axes.join(', ')}]`,
    );
  }
  return Array.from({ length: count }, (_, i) => numbers.slice(i * size, (i + 1) * size));
}

function numbersOf(
  place: Place,
  row: readonly unknown[],
  [least, most]: readonly [number, number],
): number[] {
  const isWhole = place.input.datatype === 'UINT8';
  return row.map((value) => {
    const isGood =
      typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most;
    if (isGood && (!isWhole || Number.isInteger(value))) return value;
    const bounds = Number.isFinite(least) ? ` from ${least} to ${most}` : '';
    const kind = isWhole ? 'whole numbers' : 'numbers';
    throw refuse(place, `got ${JSON.stringify(value)}, expected ${kind}${bounds}`);
  });
}

const refuse = ({ pointer }: Place, detail: string) =>
  invalid(`${pointer}/data`, 'invalid_value', detail);

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREY = 0;
const COLOUR = 2;

function chunk(kind: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function encodePng(pixels: Uint8Array, image: NonNullable<MediaShapes['image']>): Buffer {
  const { channels, height, width } = image;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 1 ? GREY : COLOUR], 8);
  const line = width * channels;
  const lines = Buffer.alloc(height * (line + 1));
  for (let row = 0; row < height; row++) {
    lines.set(pixels.subarray(row * line, (row + 1) * line), row * (line + 1) + 1);
  }
  const data = chunk('IDAT', deflateSync(lines, { level: 1 }));
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    data,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const WAV_HEADER_BYTES = 44;
const FLOAT = 3;
const SAMPLE_BYTES = 4;

function encodeWav(samples: Float32Array, rate: number): Buffer {
  const file = Buffer.alloc(WAV_HEADER_BYTES + SAMPLE_BYTES * samples.length);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(FLOAT, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * SAMPLE_BYTES, 28);
  file.writeUInt16LE(SAMPLE_BYTES, 32);
  file.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(SAMPLE_BYTES * samples.length, 40);
  for (const [i, sample] of samples.entries()) {
    file.writeFloatLE(sample, WAV_HEADER_BYTES + SAMPLE_BYTES * i);
  }
  return file;
}
