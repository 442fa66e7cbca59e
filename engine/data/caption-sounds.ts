import type { ByteSource } from './byte-source.ts';
import { type CaptionLine, fileNamed, refuse } from './caption-lines.ts';
import { featuresOf, type MelOptions } from './mel.ts';
import { melFeatures } from './mel-features.ts';
import { resample } from './resample.ts';
import { decodeWav, type Sound } from './wav.ts';

/** Sounds as frames of features. */
export interface SoundSet {
  readonly options: MelOptions;
  /** `[count][frames][features]` */
  readonly values: Float32Array;
}

/** Bytes of the largest WAV file that is read. */
const MOST_FILE_BYTES = 2 ** 28;
/** Bytes that all features may have together. */
const MOST_BYTES = 2 ** 30;

/** The features of the clip of each line; undefined where no line has one. */
export async function openSounds(
  files: readonly ByteSource[],
  lines: readonly CaptionLine[],
  options: MelOptions,
): Promise<SoundSet | undefined> {
  if (lines.every(({ audio }) => audio === undefined)) return undefined;
  const numbers = options.frames * featuresOf(options);
  if (lines.length * numbers * Float32Array.BYTES_PER_ELEMENT > MOST_BYTES) {
    refuse(`${lines.length} clips of ${numbers} features need more than ${MOST_BYTES} bytes`);
  }
  const values = new Float32Array(lines.length * numbers);
  for (const [i, { number, audio }] of lines.entries()) {
    if (audio === undefined) refuse(`line ${number} names no audio, others do`);
    values.set(soundFeatures(await readWav(fileNamed(files, audio, number)), options), i * numbers);
  }
  return { options, values };
}

/** The frames of a sound at whatever rate, `[frames][features]`. */
export function soundFeatures(sound: Sound, options: MelOptions): Float64Array {
  return melFeatures(resample(sound.samples, sound.sampleRateHz, options.sampleRateHz), options);
}

async function readWav(file: ByteSource): Promise<Sound> {
  if (file.size > MOST_FILE_BYTES) {
    refuse(`${file.name} has ${file.size} bytes, expected at most ${MOST_FILE_BYTES}`);
  }
  return decodeWav(file.name, await file.read(0, file.size));
}
