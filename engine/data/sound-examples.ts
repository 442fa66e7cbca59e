import type { Examples } from './examples.ts';
import type { HeardSounds, Recording } from './recordings.ts';

/** Frames by which a sound is moved at most, each way, while it is learned from. */
const MOST_SHIFT = 2;
/** Frames that are silenced at most. */
const MOST_SILENCED = 4;
/** Half the width of the uniform noise on each number, in deviations of all of them. */
const NOISE = 0.5;
/** A place in the sound is as loud as strong features. */
const PLACE_STRENGTH = 3;

/** What makes features numbers that neurons hear. */
export interface SoundFront {
  /** `[features]`, taken away. */
  readonly mean: readonly number[];
  /**
   * One over the deviation of all features together: the higher coefficients of an MFCC hold little, and
   * would tell speakers apart rather than words if they were as large as the others.
   */
  readonly factor: number;
  /** Frames on each side that are heard along with a frame. */
  readonly context: number;
  /** Numbers that say where in the sound a frame is: bumps, evenly spread over it. */
  readonly places: number;
}

/** Mean and deviation of sounds as they were recorded. */
export function featureScale({
  count,
  frames,
  features,
  values,
}: HeardSounds): Pick<SoundFront, 'mean' | 'factor'> {
  const rows = count * frames;
  const mean = Array.from({ length: features }, (_, feature) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += values[i * features + feature] ?? 0;
    return sum / rows;
  });
  let squares = 0;
  for (let i = 0; i < rows * features; i++) {
    squares += ((values[i] ?? 0) - (mean[i % features] ?? 0)) ** 2;
  }
  const deviation = Math.sqrt(squares / (rows * features));
  return { mean, factor: deviation > 0 ? 1 / deviation : 1 };
}

/**
 * Sounds as examples. Altered, they are heard at one of their stretches, moved in time, with noise, and
 * some of their frames are silent (Park et al. 2019).
 */
export function soundExamples(
  heard: HeardSounds,
  recordings: readonly Recording[],
  front: SoundFront,
): Examples {
  const { count, stretches, frames, features } = heard;
  const { context, places } = front;
  const width = (2 * context + 1) * features + places;
  const sound = new Float32Array(frames * features);
  return {
    count,
    classes: 1 + recordings.reduce((most, { label }) => Math.max(most, label), 0),
    frames,
    width,
    label: (example) => recordings[example]?.label ?? 0,
    write(example, { inputs, rows, row }, words) {
      const alteration = alterationOf(words, stretches.length, frames);
      takeSound(heard, example, alteration, { front, into: sound });
      for (let frame = 0; frame < frames; frame++) {
        let to = (frame * rows + row) * width;
        for (let near = frame - context; near <= frame + context; near++) {
          const from = clamp(near, frames) * features;
          for (let i = 0; i < features; i++) inputs[to++] = sound[from + i] ?? 0;
        }
        for (let place = 0; place < places; place++)
          inputs[to++] = bump(frame, frames, place, places);
      }
    },
  };
}

interface Alteration {
  readonly stretch: number;
  readonly shift: number;
  /** Frames from the first to before the second are silent. */
  readonly silent: readonly [number, number];
  /** Of the noise; 0 for none. */
  readonly seed: number;
}

function alterationOf(
  words: Uint32Array | undefined,
  stretches: number,
  frames: number,
): Alteration {
  if (!words) return { stretch: 0, shift: 0, silent: [0, 0], seed: 0 };
  const [a = 0, b = 0, c = 0, d = 0] = words;
  const silent = c % frames;
  return {
    stretch: a % stretches,
    shift: (b % (2 * MOST_SHIFT + 1)) - MOST_SHIFT,
    silent: [silent, silent + ((b >>> 16) % (MOST_SILENCED + 1))],
    seed: d | 1,
  };
}

/** Writes one recording, scaled and altered, `[frames][features]`. */
function takeSound(
  { count, values, frames, features }: HeardSounds,
  example: number,
  { stretch, shift, silent: [silent, silentEnd], seed }: Alteration,
  { front, into }: { readonly front: SoundFront; readonly into: Float32Array },
): void {
  const { mean, factor } = front;
  const first = (stretch * count + example) * frames;
  let noise = seed;
  for (let frame = 0, to = 0; frame < frames; frame++) {
    const from = (first + clamp(frame + shift, frames)) * features;
    const isSilent = frame >= silent && frame < silentEnd;
    for (let i = 0; i < features; i++, to++) {
      noise = xorshift(noise);
      const heard = ((values[from + i] ?? 0) - (mean[i] ?? 0)) * factor;
      into[to] = isSilent ? 0 : heard + (noise * NOISE) / 2 ** 31;
    }
  }
}

/** The next word of Marsaglia's generator of 2003, signed; 0 stays 0. */
function xorshift(word: number): number {
  let next = word ^ (word << 13);
  next ^= next >>> 17;
  return next ^ (next << 5);
}

function bump(frame: number, frames: number, place: number, places: number): number {
  const distance = (frame / (frames - 1)) * (places - 1) - place;
  return PLACE_STRENGTH * Math.exp(-(distance ** 2));
}

function clamp(frame: number, frames: number): number {
  return Math.min(frames - 1, Math.max(0, frame));
}
