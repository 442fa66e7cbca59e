import type { DeviceFlags } from '../cli/open-device.ts';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_TEAM } from '../../edge/contract/team.ts';
import { JobFailure, type JobFiles } from '../../trainer/index.ts';
import {
  findLastCheckpoint,
  readCheckpoint,
  saveCheckpoint,
} from '../checkpoints/checkpoint-folder.ts';
import { openRunLog } from '../runs/run-log.ts';
import { openData } from '../data/open-data.ts';
import { openFileSource } from '../checkpoints/file-source.ts';
import { isInside, placeBelow, unsafe } from './rooted-path.ts';

/** Settings that a job's process needs before its job. */
export interface JobSetting {
  readonly roots: Roots;
  readonly device: DeviceFlags;
}

export interface Roots {
  /** Datasets are read below it. */
  readonly data: string;
  /** Results and base models lie below it. */
  readonly output: string;
}

/** Below the output root, a folder for each team but the default one, whose the root itself is. */
const TEAMS = '.teams';

/** The files of this machine that jobs of a team may name: data is everybody's, results are their team's. */
export function createJobFiles({ data, output }: Roots, team: string = DEFAULT_TEAM): JobFiles {
  const ofOthers = join(output, TEAMS);
  /** @throws JobFailure `unsafe_path` */
  async function resultAt(path: string): Promise<string> {
    if (team !== DEFAULT_TEAM) {
      const own = join(ofOthers, team);
      await mkdir(own, { recursive: true });
      return placeBelow(own, path);
    }
    const place = await placeBelow(output, path);
    if (isInside(join(await realpath(output), TEAMS), place)) throw unsafe(path);
    return place;
  }

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
      return readCheckpoint(await findLastCheckpoint(await resultAt(path)));
    },
    async openLog(folder, from) {
      return openRunLog(await resultAt(folder), from);
    },
    async keepResult(folder, step, files) {
      await saveCheckpoint(await resultAt(folder), step, files);
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
