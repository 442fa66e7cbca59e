import { featuresOf, melFeatures, type MelOptions } from '../audio/mel.ts';
import { resample } from '../audio/resample.ts';
import { decodeWav, type AudioClip } from '../audio/wav.ts';
import type { DataFile } from '../files/data-files.ts';
import { parseIdx } from '../images/idx.ts';
import { readPng } from '../images/image-folder.ts';
import { unpack } from '../images/labelled-images.ts';
import type { DecodedImage } from '../images/png.ts';
import { checkImageShape, type ImageShape, resizeImage } from '../images/resize-image.ts';
import { type CaptionLine, type CaptionReader, refuse } from './caption-files.ts';

/** Images of one size. */
export interface CaptionImages {
  readonly shape: ImageShape;
  /** `[count][channels][height][width]`, 0 to 255. */
  readonly values: Uint8Array;
}

/** Bytes of all resized images, and of all features of audio. */
const MAX_BYTES = 2 ** 30;
const IDX_FILE = /idx[34]-ubyte(\.gz)?$/i;

/** The image of each line; undefined where no line has one. */
export async function openCaptionImages(
  reader: CaptionReader,
  lines: readonly CaptionLine[],
  shape: ImageShape,
): Promise<CaptionImages | undefined> {
  checkImageShape(shape);
  const pixels = shape.channels * shape.width * shape.height;
  if (lines.length * pixels > MAX_BYTES) {
    refuse(`${lines.length} images of ${pixels} values, expected at most ${MAX_BYTES} in all`);
  }
  const imageOf = await imageSource(reader, lines);
  if (!imageOf) return undefined;
  const values = new Uint8Array(lines.length * pixels);
  for (const [i, line] of lines.entries()) {
    values.set(resizeImage(await imageOf(line, i), shape), i * pixels);
  }
  return { shape, values };
}

type ImageSource = (line: CaptionLine, place: number) => DecodedImage | Promise<DecodedImage>;

async function imageSource(
  reader: CaptionReader,
  lines: readonly CaptionLine[],
): Promise<ImageSource | undefined> {
  if (lines.some(({ image }) => image !== undefined)) {
    return async ({ number, image }) => {
      if (image === undefined) return refuse(`line ${number} names no image, others do`);
      return readPng(await reader.read(reader.named(image, number)));
    };
  }
  const packed = reader.find(IDX_FILE);
  return packed && openIdx(reader, packed, lines.length);
}

/** Images `[count][height][width]`, grey, or `[count][height][width][3]`. */
async function openIdx(reader: CaptionReader, file: DataFile, count: number): Promise<ImageSource> {
  const bytes = await unpack(await reader.read(file));
  const isColoured = bytes[3] === 4;
  const { shape, bytes: values } = parseIdx(file.path, bytes, isColoured ? 4 : 3);
  const [images = 0, height = 0, width = 0, channels = 1] = shape;
  if (images !== count) {
    refuse(`${file.path} has ${images} images, the captions have ${count} lines`);
  }
  if (isColoured && channels !== 3) {
    refuse(`${file.path} has ${channels} channels, expected 3: red, green and blue`);
  }
  const size = height * width;
  return (_line, place) => {
    const rgba = new Uint8Array(4 * size).fill(255);
    const from = place * size * channels;
    for (let i = 0; i < size; i++) {
      for (let c = 0; c < 3; c++) {
        rgba[4 * i + c] = values[from + i * channels + (isColoured ? c : 0)] ?? 0;
      }
    }
    return { width, height, rgba };
  };
}

/** Mel features of audio. */
export interface CaptionAudio {
  readonly options: MelOptions;
  /** `[count][frames][features]` */
  readonly values: Float32Array;
}

/** The features of the clip of each line; undefined where no line has one. */
export async function openCaptionAudio(
  reader: CaptionReader,
  lines: readonly CaptionLine[],
  options: MelOptions,
): Promise<CaptionAudio | undefined> {
  if (lines.every(({ audio }) => audio === undefined)) return undefined;
  const numbers = options.frames * featuresOf(options);
  if (lines.length * numbers * Float32Array.BYTES_PER_ELEMENT > MAX_BYTES) {
    refuse(`${lines.length} clips of ${numbers} features need more than ${MAX_BYTES} bytes`);
  }
  const values = new Float32Array(lines.length * numbers);
  for (const [i, { number, audio }] of lines.entries()) {
    if (audio === undefined) refuse(`line ${number} names no audio, others do`);
    const source = await reader.read(reader.named(audio, number));
    const clip = decodeWav(source.name, await source.read(0, source.size));
    values.set(audioFeatures(clip, options), i * numbers);
  }
  return { options, values };
}

/** Mel features of a clip at any sample rate, `[frames][features]`. */
export function audioFeatures(audio: AudioClip, options: MelOptions): Float64Array {
  return melFeatures(resample(audio.samples, audio.sampleRateHz, options.sampleRateHz), options);
}
