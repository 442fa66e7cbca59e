import type { Backend } from '../graph/backend.ts';
import { EngineError } from '../errors.ts';
import { openMelFront } from '../functional/mel-front.ts';
import type { DataFile } from './data-files.ts';
import { featuresOf, type MelOptions } from './mel.ts';
import { resample } from './resample.ts';
import { compareNames, readSoundIndex } from './sound-index.ts';
import { decodeWav, type Sound } from './wav.ts';

/** A sound with its class. */
export interface Recording {
  readonly sound: Sound;
  /** The number of its class. */
  readonly label: number;
  /** Who speaks and which part of the data it is; empty where nothing says. */
  readonly speaker: string;
  readonly split: string;
}

export interface Recordings {
  readonly recordings: readonly Recording[];
  /** The name of each class, in the order of the labels. */
  readonly classNames: readonly string[];
}

export interface ReadingOptions {
  /** Called with the bytes of each file that was read. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  readonly signal?: AbortSignal;
}

/** Bytes of the largest recording that is read. */
const MOST_FILE_BYTES = 2 ** 26;
/** Root of the mean square that every recording is brought to. */
const LOUDNESS = 0.1;

/**
 * Reads a folder of WAV files; `readSoundIndex` says where their classes come from. Throws EngineError
 * `signal-invalid`, naming the file.
 */
export async function openRecordings(
  files: readonly DataFile[],
  { onBytes, signal }: ReadingOptions = {},
): Promise<Recordings> {
  const entries = await readSoundIndex(files);
  const classNames = [...new Set(entries.map(({ label }) => label))].toSorted(compareNames);
  const recordings: Recording[] = [];
  for (const { file, label, speaker, split } of entries) {
    signal?.throwIfAborted();
    const bytes = await readWhole(file);
    onBytes?.(bytes);
    const sound = decodeWav(file.path, bytes);
    recordings.push({ sound, label: classNames.indexOf(label), speaker, split });
  }
  return { recordings, classNames };
}

async function readWhole(file: DataFile): Promise<Uint8Array> {
  if (file.size <= MOST_FILE_BYTES) return (await file.open()).read(0, file.size);
  throw new EngineError(
    'signal-invalid',
    `${file.path} has ${file.size} bytes: expected at most ${MOST_FILE_BYTES}`,
  );
}

/** Recordings as a network hears them. */
export interface HeardSounds {
  readonly count: number;
  /** `[count][frames][features]` */
  readonly values: Float32Array;
  readonly frames: number;
  readonly features: number;
}

/** The features of recordings, brought to the sample rate of the front and to one loudness. */
export async function hearRecordings(
  backend: Backend,
  recordings: readonly Recording[],
  mel: MelOptions,
): Promise<HeardSounds> {
  const { frames } = mel;
  const features = featuresOf(mel);
  const count = recordings.length;
  const values = new Float32Array(count * frames * features);
  const listener = await openMelFront(backend, mel);
  try {
    for (const [i, { sound }] of recordings.entries()) {
      values.set(await listener.hear(levelled(sound, mel)), i * frames * features);
    }
  } finally {
    listener.close();
  }
  return { count, values, frames, features };
}

/** A sound as a front hears it: at its sample rate and the loudness of all. */
export function levelled(
  { samples, sampleRateHz }: Sound,
  mel: Pick<MelOptions, 'sampleRateHz'>,
): Float32Array {
  return atOneLoudness(resample(samples, sampleRateHz, mel.sampleRateHz));
}

/** How loud a speaker was is not what was said. Silence stays silent. */
function atOneLoudness(samples: Float32Array): Float32Array {
  const power = samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;
  const factor = power > 0 ? LOUDNESS / Math.sqrt(power) : 1;
  return samples.map((sample) => sample * factor);
}
