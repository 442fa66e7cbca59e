import type { Examples } from './examples.ts';
import type { HeardSounds, Recording } from './recordings.ts';

/** Frames by which a sound is moved at most, each way, and that are silenced at most while it is learned from. */
const MOST_SHIFT = 2;
const MOST_SILENCED = 6;

/** What makes features numbers of about the size of 1. */
export interface FeatureScale {
  /** `[features]` */
  readonly mean: readonly number[];
  /** One over the deviation of all of them together: the higher coefficients of an MFCC hold little. */
  readonly factor: number;
}

/** The scale of sounds as they were recorded. */
export function featureScale({ count, frames, features, values }: HeardSounds): FeatureScale {
  const rows = count * frames;
  const mean = Array.from({ length: features }, (_, feature) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += values[i * features + feature] ?? 0;
    return sum / rows;
  });
  let squares = 0;
  for (let i = 0; i < rows * features; i++) squares += ((values[i] ?? 0) - (mean[i % features] ?? 0)) ** 2;
  const deviation = Math.sqrt(squares / (rows * features));
  return { mean, factor: deviation > 0 ? 1 / deviation : 1 };
}

/**
 * Sounds as examples. Altered, they are heard at one of their stretches, moved in time, and some of their
 * frames are silent (Park et al. 2019).
 */
export function soundExamples(
  heard: HeardSounds,
  recordings: readonly Recording[],
  classes: number,
  { mean, factor }: FeatureScale,
): Examples {
  const { count, values, stretches, frames, features } = heard;
  return {
    count,
    classes,
    frames,
    width: features,
    label: (example) => recordings[example]?.label ?? 0,
    write(example, { inputs, rows, row }, alteration) {
      const { stretch, shift, silent, silentEnd } = alterationOf(alteration, stretches.length, frames);
      const from = (stretch * count + example) * frames;
      for (let frame = 0; frame < frames; frame++) {
        const heardAt = from + Math.min(frames - 1, Math.max(0, frame + shift));
        const isSilent = frame >= silent && frame < silentEnd;
        const to = (frame * rows + row) * features;
        for (let i = 0; i < features; i++) {
          const value = ((values[heardAt * features + i] ?? 0) - (mean[i] ?? 0)) * factor;
          inputs[to + i] = isSilent ? 0 : value;
        }
      }
    },
  };
}

function alterationOf(words: Uint32Array | undefined, stretches: number, frames: number) {
  if (!words) return { stretch: 0, shift: 0, silent: 0, silentEnd: 0 };
  const [a = 0, b = 0, c = 0, d = 0] = words;
  const silent = c % frames;
  return {
    stretch: a % stretches,
    shift: (b % (2 * MOST_SHIFT + 1)) - MOST_SHIFT,
    silent,
    silentEnd: silent + (d % (MOST_SILENCED + 1)),
  };
}
