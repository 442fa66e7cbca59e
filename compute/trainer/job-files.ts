import { stat } from 'node:fs/promises';
import { JobFailure, type JobFiles } from '../../trainer/index.ts';
import {
  findLastCheckpoint,
  readCheckpoint,
  saveCheckpoint,
} from '../checkpoints/checkpoint-folder.ts';
import { openRunLog } from '../checkpoints/run-log.ts';
import { openData } from '../data/open-data.ts';
import { openFileSource } from '../checkpoints/file-source.ts';
import { placeBelow } from './rooted-path.ts';

export interface Roots {
  /** Datasets are read below it. */
  readonly data: string;
  /** Results and base models lie below it. */
  readonly output: string;
}

/** The files of this machine that jobs may name. */
export function createJobFiles({ data, output }: Roots): JobFiles {
  return {
    async openDataset(path) {
      const place = await placeBelow(data, path);
      try {
        const stats = await stat(place);
        return stats.isDirectory() ? await openData(place) : await openFileSource(place);
      } catch (error) {
        throw asMissing(error, path);
      }
    },
    async readCheckpoint(path) {
      return readCheckpoint(await findLastCheckpoint(await placeBelow(output, path)));
    },
    async openLog(folder, from) {
      return openRunLog(await placeBelow(output, folder), from);
    },
    async keepResult(folder, step, files) {
      await saveCheckpoint(await placeBelow(output, folder), step, files);
    },
  };
}

const WHY_MISSING: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read',
  'text-invalid': 'is no file',
};

function asMissing(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const what = WHY_MISSING[String(code)];
  if (what === undefined) return error;
  return new JobFailure(
    'dataset_invalid',
    `dataset_path is "${path}", which ${what} below this trainer's data root`,
  );
}
