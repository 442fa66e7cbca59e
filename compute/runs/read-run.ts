import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { EngineError, parseJson } from '../../engine/index.ts';
import { type MetricLine, readMetrics } from './metrics-file.ts';
import { CONFIG, METRICS } from './run-files.ts';

/** A run, read from its folder. */
export interface Run {
  readonly name: string;
  readonly lines: readonly MetricLine[];
  /** Settings by their paths, such as `fields.d_model`, as JSON writes their values. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Of a metrics file that is read. */
const MAX_BYTES = 2 ** 28;

/** Facts of how a run was started, which differ between any two. */
const UNSAID = /^(?:command|node|resumed)\b/;

/**
 * Reads what a run left in its folder. Throws EngineError `checkpoint-missing` for a folder that is none of a run or has
 * no metrics yet, `checkpoint-damaged` for a config that cannot be read.
 */
export async function readRun(folder: string): Promise<Run> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return refuse(`${folder} does not exist: expected a run`);
    if (error.code === 'ENOTDIR')
      return refuse(`${folder} is a file: expected the folder of a run`);
    throw error;
  });
  if (!names.includes(METRICS)) {
    const found = names.slice(0, 4).join(', ') || 'nothing';
    refuse(
      `${folder} is no run: expected ${METRICS}, which train and fitInFolder write, found ${found}`,
    );
  }
  const { size } = await stat(join(folder, METRICS));
  if (size > MAX_BYTES) refuse(`${METRICS} in ${folder} has ${size} bytes: at most ${MAX_BYTES}`);
  const lines = await readMetrics(folder);
  if (lines.length === 0) refuse(`${folder} has no metrics yet: expected a report of ${METRICS}`);
  const config = names.includes(CONFIG) ? await readConfig(join(folder, CONFIG)) : {};
  return { name: basename(resolve(folder)), lines, settings: new Map(settingsIn(config)) };
}

async function readConfig(path: string): Promise<unknown> {
  try {
    return parseJson(await readFile(path, 'utf8'));
  } catch (error) {
    throw new EngineError('checkpoint-damaged', `${path} cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}

/** Values of nested objects and lists, each with its path. */
function* settingsIn(value: unknown, path = ''): Generator<[string, string]> {
  if (UNSAID.test(path)) return;
  if (typeof value !== 'object' || value === null) {
    yield [path, String(value)];
    return;
  }
  for (const [name, part] of Object.entries(value)) {
    yield* settingsIn(part, path === '' ? name : `${path}.${name}`);
  }
}

function refuse(message: string): never {
  throw new EngineError('checkpoint-missing', message);
}
