import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { EngineError } from '../errors.ts';
import type { DataOptions, RunData } from '../checkpoint/run-data.ts';
import type { DataFiles } from './data-files.ts';
import { isHeldBack } from './held-back.ts';
import { openRecordings, type Recording } from './recordings.ts';
import { makeTones } from './tones.ts';

/** Recordings as the data of a run. */
export interface AudioData extends RunData {
  readonly classNames: readonly string[];
  readonly learned: readonly Recording[];
  readonly validation: readonly Recording[];
}

export interface AudioOptions extends DataOptions {
  /** Classes of tones that are made up in place of the files; nothing is made up without being asked for. */
  readonly tones?: number;
}

const LEARNED = 'train';

/**
 * Opens recordings with their classes. What an index calls `train` is learned from and the rest is for
 * validation; without an index some are held back. Throws EngineError `signal-invalid`.
 */
export async function openAudio(
  { name, files }: DataFiles,
  { tones, onProgress, signal }: AudioOptions,
): Promise<AudioData> {
  const hash = sha256.create();
  if (tones !== undefined) {
    hash.update(utf8ToBytes(`${tones} tones`));
    const classNames = Array.from({ length: tones }, (_, label) => `tone ${label}`);
    return dataOf(`${tones} tones`, makeTones(tones), { classNames, hash });
  }
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let read = 0;
  const { recordings, classNames } = await openRecordings(files, {
    ...(signal && { signal }),
    onBytes(bytes) {
      hash.update(bytes);
      read += bytes.length;
      onProgress?.(read, total);
    },
  });
  return dataOf(name, recordings, { classNames, hash });
}

interface Parted {
  readonly classNames: readonly string[];
  readonly hash: ReturnType<typeof sha256.create>;
}

function dataOf(
  name: string,
  recordings: readonly Recording[],
  { classNames, hash }: Parted,
): AudioData {
  const isSplit = recordings.some(({ split }) => split !== '');
  const isLearned = recordings.map(({ split }, place) =>
    isSplit ? split === LEARNED : !isHeldBack(place),
  );
  for (const { label, split } of recordings) hash.update(utf8ToBytes(`${label} ${split}\n`));
  const learned = recordings.filter((_, place) => isLearned[place]);
  const validation = recordings.filter((_, place) => !isLearned[place]);
  if (learned.length === 0 || validation.length === 0) {
    throw new EngineError(
      'signal-invalid',
      `${name} has ${learned.length} recordings to learn from and ${validation.length} to validate on: ` +
        'expected some of each',
    );
  }
  const digest = bytesToHex(hash.digest());
  const shape = { classes: classNames.length };
  return { name, digest, length: learned.length, shape, classNames, learned, validation };
}
