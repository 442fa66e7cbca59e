import { featuresOf, type MelOptions } from '../audio/mel.ts';
import { melFeatures } from '../mel-features.ts';
import { resample } from '../audio/resample.ts';
import { decodeWav, type Sound } from '../audio/wav.ts';
import type { CaptionLine } from './caption-lines.ts';
import type { CaptionReader } from './caption-files.ts';
import { refuse } from './refuse.ts';

/** Sounds as frames of features. */
export interface SoundSet {
  readonly options: MelOptions;
  /** `[count][frames][features]` */
  readonly values: Float32Array;
}

/** Bytes that all features may have together. */
const MOST_BYTES = 2 ** 30;

/** The features of the clip of each line; undefined where no line has one. */
export async function openSounds(
  reader: CaptionReader,
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
    const source = await reader.read(reader.named(audio, number));
    const sound = decodeWav(source.name, await source.read(0, source.size));
    values.set(soundFeatures(sound, options), i * numbers);
  }
  return { options, values };
}

/** The frames of a sound at whatever rate, `[frames][features]`. */
export function soundFeatures(sound: Sound, options: MelOptions): Float64Array {
  return melFeatures(resample(sound.samples, sound.sampleRateHz, options.sampleRateHz), options);
}
