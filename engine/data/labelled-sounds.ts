import type { Backend } from '../backends/backend.ts';
import { EngineError } from '../errors.ts';
import { openMelFront } from '../functional/mel-front.ts';
import type { ByteSource } from './byte-source.ts';
import { featuresOf, type MelOptions } from './mel.ts';
import { resample } from './resample.ts';
import { readSoundIndex, type SoundEntry } from './sound-index.ts';
import { decodeWav } from './wav.ts';

/** Recordings as a network hears them, each with its class. */
export interface LabelledSounds {
  readonly count: number;
  readonly frames: number;
  readonly features: number;
  /**
   * `[stretches][count][frames][features]`: every feature has mean 0 and deviation 1 over the frames of its
   * recording, which takes loudness, microphone and much of the voice away.
   */
  readonly values: Float32Array;
  /** How much slower than recorded the sounds are played, and thereby lower; the first is 1. */
  readonly stretches: readonly number[];
  /** `[count]` */
  readonly labels: Uint32Array;
  readonly classes: number;
  /** The name of each class, in the order of the labels. */
  readonly classNames: readonly string[];
  /** Who speaks and which part of the data it is; empty where the index does not say. */
  readonly entries: readonly SoundEntry[];
}

export interface SoundOptions {
  /** Makes the features. */
  readonly backend: Backend;
  readonly mel: MelOptions;
  /** Stretches at which each recording is heard besides its own; see `LabelledSounds.stretches`. */
  readonly otherStretches?: readonly number[];
  /** Called with the recordings heard so far. */
  readonly onProgress?: (recordings: number) => void;
  readonly signal?: AbortSignal;
}

/** Bytes of the largest recording that is read. */
const MOST_FILE_BYTES = 2 ** 26;
/** Below it a feature does not change: it is left at 0. */
const LEAST_DEVIATION = 1e-6;

/**
 * Reads a folder of WAV files. `index.csv` in it says their classes, or else the folder that each lies in
 * does. Throws EngineError `signal-invalid`, naming the file.
 */
export async function openSounds(
  files: readonly ByteSource[],
  options: SoundOptions,
): Promise<LabelledSounds> {
  const { backend, mel, otherStretches = [], onProgress, signal } = options;
  const entries = await readSoundIndex(files);
  const classNames = [...new Set(entries.map(({ label }) => label))].toSorted(compare);
  const stretches = [1, ...otherStretches];
  const { frames } = mel;
  const features = featuresOf(mel);
  const [count, one] = [entries.length, frames * features];
  const values = new Float32Array(stretches.length * count * one);
  const listener = await openMelFront(backend, mel);
  try {
    for (const [i, { source }] of entries.entries()) {
      signal?.throwIfAborted();
      const { sampleRateHz, samples } = await readWav(source);
      for (const [s, stretch] of stretches.entries()) {
        // Samples taken at a higher rate and played at the front's are heard slower and lower.
        const taken = resample(samples, sampleRateHz, Math.round(mel.sampleRateHz * stretch));
        const heard = standardise(await listener.hear(taken), features);
        values.set(heard, (s * count + i) * one);
      }
      onProgress?.(i + 1);
    }
  } finally {
    listener.close();
  }
  const labels = Uint32Array.from(entries, ({ label }) => classNames.indexOf(label));
  const classes = classNames.length;
  return { count, frames, features, values, stretches, labels, classes, classNames, entries };
}

/** The recordings that `keep` says yes to. */
export function soundsWhere(
  sounds: LabelledSounds,
  keep: (entry: SoundEntry) => boolean,
): LabelledSounds {
  const { count, stretches, frames, features, labels, entries } = sounds;
  const kept = entries.flatMap((entry, i) => (keep(entry) ? [i] : []));
  const one = frames * features;
  const values = new Float32Array(stretches.length * kept.length * one);
  for (let s = 0, to = 0; s < stretches.length; s++) {
    for (const i of kept) {
      const from = (s * count + i) * one;
      values.set(sounds.values.subarray(from, from + one), to);
      to += one;
    }
  }
  return {
    ...sounds,
    count: kept.length,
    values,
    labels: Uint32Array.from(kept, (i) => labels[i] ?? 0),
    entries: kept.flatMap((i) => entries[i] ?? []),
  };
}

async function readWav(source: ByteSource) {
  if (source.size > MOST_FILE_BYTES) {
    throw new EngineError(
      'signal-invalid',
      `${source.name} has ${source.size} bytes: expected at most ${MOST_FILE_BYTES}`,
    );
  }
  return decodeWav(source.name, await source.read(0, source.size));
}

/** Mean 0 and deviation 1 of every feature over the frames, in place. */
export function standardise(values: Float32Array, features: number): Float32Array {
  const frames = values.length / features;
  for (let feature = 0; feature < features; feature++) {
    let sum = 0;
    let squares = 0;
    for (let i = feature; i < values.length; i += features) sum += values[i] ?? 0;
    const mean = sum / frames;
    for (let i = feature; i < values.length; i += features) squares += ((values[i] ?? 0) - mean) ** 2;
    const deviation = Math.sqrt(squares / frames);
    const scale = deviation > LEAST_DEVIATION ? 1 / deviation : 0;
    for (let i = feature; i < values.length; i += features) {
      values[i] = ((values[i] ?? 0) - mean) * scale;
    }
  }
  return values;
}

/** By code units: the same order on every machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
