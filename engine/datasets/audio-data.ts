import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type LabelledAudio, openAudioFiles } from '../data/audio/audio-files.ts';
import type { DataFiles } from '../data/files/data-files.ts';
import { isHeldOut } from '../data/holdout.ts';
import { EngineError } from '../errors.ts';
import type { DataOptions, RunData } from '../checkpoint/run-data.ts';
import { philox } from '../random/philox.ts';

/** Labelled audio as the data of a run. */
export interface AudioData extends RunData {
  readonly classNames: readonly string[];
  readonly learned: readonly LabelledAudio[];
  readonly validation: readonly LabelledAudio[];
}

interface AudioOptions extends DataOptions {
  /** Number of classes of synthetic tones to use instead of the files. */
  readonly tones?: number;
}

const TRAIN = 'train';

/**
 * Opens audio files with their classes. The index's split `train` is trained on and the rest validates; without
 * an index some clips are held out. Throws EngineError `signal-invalid`.
 */
export async function openAudio(
  { name, files }: DataFiles,
  { tones, onProgress, signal }: AudioOptions,
): Promise<AudioData> {
  const hash = sha256.create();
  if (tones !== undefined) {
    hash.update(utf8ToBytes(`${tones} tones`));
    const classNames = Array.from({ length: tones }, (_, label) => `tone ${label}`);
    return dataOf(`${tones} tones`, { clips: syntheticTones(tones), classNames }, hash);
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let read = 0;
  const folder = await openAudioFiles(files, {
    ...(signal && { signal }),
    onBytes(bytes) {
      hash.update(bytes);
      read += bytes.length;
      onProgress?.(read, total);
    },
  });
  return dataOf(name, folder, hash);
}

function dataOf(
  name: string,
  { clips, classNames }: Awaited<ReturnType<typeof openAudioFiles>>,
  hash: ReturnType<typeof sha256.create>,
): AudioData {
  const hasSplit = clips.some(({ split }) => split !== '');
  const isTrained = clips.map(({ split }, i) => (hasSplit ? split === TRAIN : !isHeldOut(i)));
  for (const { label, split } of clips) hash.update(utf8ToBytes(`${label} ${split}\n`));
  const learned = clips.filter((_, i) => isTrained[i]);
  const validation = clips.filter((_, i) => !isTrained[i]);
  if (learned.length === 0 || validation.length === 0) {
    throw new EngineError(
      'signal-invalid',
      `${name} has ${learned.length} clips to train on and ${validation.length} to validate on: ` +
        'expected some of each',
    );
  }
  const digest = bytesToHex(hash.digest());
  const shape = { classes: classNames.length };
  return { name, digest, length: learned.length, shape, classNames, learned, validation };
}

const SAMPLE_RATE_HZ = 8000;
const SECONDS = 0.4;
const EXAMPLES_PER_CLASS = 40;
const LOWEST_HZ = 250;
const HIGHEST_HZ = 3000;
const TONE_STREAM = 0x544f4e45;

/**
 * Synthetic clips: a class is a tone, from 250 to 3000 Hz in equal ratios, of varying loudness, slightly detuned
 * and with noise. Every fourth belongs to the split `test`. The clips are the same on every call.
 */
function syntheticTones(classes: number): readonly LabelledAudio[] {
  return Array.from({ length: classes * EXAMPLES_PER_CLASS }, (_, example) => {
    const label = example % classes;
    const [a = 0, b = 0] = philox([example, 0, 1, TONE_STREAM], [0, 0]);
    const ratio = (label + 0.4 * (a / 2 ** 32 - 0.5)) / Math.max(1, classes - 1);
    const frequency = LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** ratio;
    const loudness = 0.1 + 0.4 * (b / 2 ** 32);
    const samples = new Float32Array(SAMPLE_RATE_HZ * SECONDS);
    for (let i = 0; i < samples.length; i++) {
      const [word = 0] = philox([i, example, 0, TONE_STREAM], [0, 0]);
      const noise = 0.05 * (word / 2 ** 31 - 1);
      samples[i] = loudness * Math.sin((2 * Math.PI * frequency * i) / SAMPLE_RATE_HZ) + noise;
    }
    const split = Math.floor(example / classes) % 4 === 0 ? 'test' : 'train';
    return { audio: { sampleRateHz: SAMPLE_RATE_HZ, samples }, label, speaker: '', split };
  });
}
