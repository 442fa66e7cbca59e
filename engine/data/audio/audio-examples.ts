import type { Examples } from '../examples.ts';
import type { SoundVariation } from './vary-sounds.ts';
import type { LabelledAudio } from './audio-files.ts';

/** Features of clips, `[count][frames][features]`. */
export interface AudioFeatures {
  readonly count: number;
  readonly values: Float32Array;
  readonly frames: number;
  readonly features: number;
}

/**
 * Half the width of the uniform noise added to each number in training, in standard deviations of all
 * numbers: without it the model memorises the five speakers. docs/design/classification.md has the figures.
 */
const NOISE = 2.6;
/** Height of a position bump, on the scale of strong features. */
const POSITION_STRENGTH = 4;

/** Scaling of features to inputs of neurons. */
export interface AudioScaling {
  /** `[features]`, taken away. */
  readonly mean: readonly number[];
  /**
   * One factor for all features: the higher coefficients of an MFCC hold little, and would distinguish
   * speakers rather than words if they were scaled to the size of the others.
   */
  readonly factor: number;
  /** Number of inputs that encode the position of a frame in the clip: bumps, evenly spaced over it. */
  readonly places: number;
}

/**
 * Clips as examples: the scaled features of each frame and its position in the clip. Augmentation adds
 * noise, to features that are varied before where `vary` is given.
 */
export function audioExamples(
  { count, values, frames, features }: AudioFeatures,
  clips: readonly Pick<LabelledAudio, 'label'>[],
  { mean, factor, places }: AudioScaling,
  vary?: SoundVariation,
): Examples {
  const width = features + places;
  const clipAt = (example: number) =>
    values.subarray(example * frames * features, (example + 1) * frames * features);
  return {
    count,
    classes: 1 + clips.reduce((max, { label }) => Math.max(max, label), 0),
    frames,
    width,
    label: (example) => clips[example]?.label ?? 0,
    write(example, { inputs, rows, row }, alteration) {
      const clip = (alteration && vary?.(example, alteration)) ?? clipAt(example);
      // A seed of 0 stays 0: no noise.
      let noise = alteration ? (alteration[0] ?? 0) | 1 : 0;
      for (let frame = 0; frame < frames; frame++) {
        const from = frame * features;
        let to = (frame * rows + row) * width;
        for (let i = 0; i < features; i++) {
          noise = xorshift(noise);
          const scaled = ((clip[from + i] ?? 0) - (mean[i] ?? 0)) * factor;
          inputs[to++] = scaled + (noise * NOISE) / 2 ** 31;
        }
        writePlace(inputs.subarray(to, to + places), frame / (frames - 1));
      }
    },
  };
}

/** Bumps that say how far into the clip a frame is, from 0 to 1. */
function writePlace(to: Float32Array, share: number): void {
  for (let position = 0; position < to.length; position++) {
    const distance = share * (to.length - 1) - position;
    to[position] = POSITION_STRENGTH * Math.exp(-(distance ** 2));
  }
}

/** The next word of Marsaglia's generator of 2003, signed; 0 stays 0. */
function xorshift(word: number): number {
  let next = word ^ (word << 13);
  next ^= next >>> 17;
  return next ^ (next << 5);
}
