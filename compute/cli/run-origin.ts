import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  beginFrom,
  EngineError,
  type RunData,
  type StoredTraining,
  unpackTraining,
} from '../../engine/index.ts';
import {
  findCheckpoint,
  findLastCheckpoint,
  readCheckpoint,
} from '../checkpoints/checkpoint-folder.ts';
import { CONFIG } from '../runs/run-files.ts';

/** The run that another one begins from, as `--base` and `--new-weights` say. */
interface BaseFlags {
  readonly base?: string;
  readonly newWeights?: boolean;
  readonly resume?: string;
  readonly config?: string;
  readonly tokenizerFile?: string;
  readonly output?: string;
}

/** The run that another one goes on from, or begins from; all undefined of one that begins by itself. */
export interface RunOrigin {
  /** Of a run that goes on as if it had never stopped. */
  readonly resume: StoredTraining | undefined;
  /** The model whose tokenizer and weights are taken. */
  readonly known: StoredTraining | undefined;
  /** Folder of the run that a new one has its settings from. */
  readonly parent: string | undefined;
  /** As given, where no model brings its own. */
  readonly tokenizerFile: string | undefined;
  /** The state that a run on some data starts with: a run of its own has new moments, and begins at step 0. */
  start(data: RunData, seed: number): StoredTraining | undefined;
}

/** The config.json of the run that `--base` names. Throws EngineError `checkpoint-missing`, `invalid-setting`. */
export function baseConfig({ base, resume, config, output }: BaseFlags): string | undefined {
  if (base === undefined) return config;
  if (output !== undefined && resolve(output) === resolve(base)) {
    throw new EngineError(
      'invalid-setting',
      `--output is ${output}, the folder of the run that --base names: expected another one`,
    );
  }
  if (resume !== undefined || config !== undefined) {
    const other = resume === undefined ? '--config' : '--resume';
    throw new EngineError(
      'invalid-setting',
      `--base and ${other} were given: expected one of them`,
    );
  }
  const folders = [resolve(base), dirname(resolve(base))];
  const found = folders.map((folder) => join(folder, CONFIG)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new EngineError(
    'checkpoint-missing',
    `--base is ${base}, which has no ${CONFIG}: expected the folder of a run of train`,
  );
}

/** Reads where a run comes from. Throws EngineError as `findCheckpoint`, and `invalid-setting`. */
export async function readOrigin(flags: BaseFlags): Promise<RunOrigin> {
  const { resume, base, newWeights, tokenizerFile } = flags;
  if (newWeights && base === undefined) {
    throw new EngineError('invalid-setting', '--new-weights was given: expected --base with it');
  }
  if (resume !== undefined) {
    const known = await readTraining(await findLastCheckpoint(resume));
    return { resume: known, known, parent: undefined, tokenizerFile, start: () => known };
  }
  const parent = base === undefined ? undefined : resolve(base);
  const isBegun = parent !== undefined && !newWeights;
  const known = isBegun ? await readTraining(await findCheckpoint(parent)) : undefined;
  return {
    resume: undefined,
    known,
    parent,
    // The config of the parent may name the file that its tokenizer was read from.
    tokenizerFile: isBegun ? undefined : tokenizerFile,
    start: (data, seed) => known && beginFrom(known, data, seed),
  };
}

const readTraining = async (folder: string) => unpackTraining(await readCheckpoint(folder));
