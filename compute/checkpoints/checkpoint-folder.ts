import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CheckpointFiles, EngineError, MANIFEST } from '../../engine/index.ts';
import { METRICS, RUN_FILES } from '../runs/run-files.ts';
import { readBest } from '../runs/run-log.ts';

/*
 * A run's folder (../runs/run-files.ts) holds its last checkpoints and its best, each a folder of its own that appears
 * by one rename:
 *
 *   DIR/checkpoint-000300/{manifest.json, model.safetensors, …}
 *

 * A checkpoint is therefore whole or not there, whenever the process or the machine stops.
 */
const PREFIX = 'checkpoint-';
const EARLIER = 'earlier-';
const STEP_DIGITS = 6;
/** Checkpoints kept beside the best: the last and, should it be damaged later, the one before. */
const KEPT = 2;

/** Writes a checkpoint and removes those it replaces. Returns its folder. */
export async function saveCheckpoint(
  run: string,
  step: number,
  files: CheckpointFiles,
): Promise<string> {
  const target = join(run, nameOf(step));
  await writeFolder(target, files);
  await removeOldest(run);
  return target;
}

/** Writes files into a folder that appears by one rename, in place of one that was there. */
export async function writeFolder(target: string, files: CheckpointFiles): Promise<void> {
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  const partial = await mkdtemp(join(parent, '.partial-'));
  try {
    for (const [name, bytes] of files) await writeDurably(join(partial, name), bytes);
    await syncFolder(partial);
    // The same step again, as after a resume without progress, replaces what was there.
    if (existsSync(target)) await rm(target, { recursive: true });
    await rename(partial, target);
    await syncFolder(parent);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw describeFailure(error, parent, files);
  }
}

/**
 * Makes room for a new run in a folder that holds an earlier one: its checkpoints and what was written of
 * it move to a folder beside them, whose path is returned; undefined where there are none.
 */
export async function setAsideEarlierRun(run: string): Promise<string | undefined> {
  if (!existsSync(run)) return undefined;
  const checkpoints = await checkpointsOf(run);
  if (checkpoints.length === 0 && !existsSync(join(run, METRICS))) return undefined;
  let number = 1;
  while (existsSync(join(run, `${EARLIER}${number}`))) number++;
  const aside = join(run, `${EARLIER}${number}`);
  await mkdir(aside);
  const written = RUN_FILES.filter((name) => existsSync(join(run, name)));
  for (const name of [...checkpoints, ...written]) await rename(join(run, name), join(aside, name));
  return aside;
}

/**
 * The folder of the checkpoint that is used where `path` is said: itself, or the one of a run whose
 * validation was best, the last where none was. Throws EngineError `checkpoint-missing` that says what was found.
 */
export async function findCheckpoint(path: string): Promise<string> {
  const best = await readBest(path);
  const folder = best && join(path, nameOf(best.step));
  return folder && existsSync(join(folder, MANIFEST)) ? folder : findLastCheckpoint(path);
}

/** The folder of the checkpoint that a run goes on from: the last one. Throws as `findCheckpoint`. */
export async function findLastCheckpoint(path: string): Promise<string> {
  if (existsSync(join(path, MANIFEST))) return path;
  if (!existsSync(path)) {
    throw new EngineError('checkpoint-missing', `${path} does not exist: expected a checkpoint`);
  }
  const last = (await checkpointsOf(path)).at(-1);
  if (last) return join(path, last);
  const found = (await readdir(path)).join(', ') || 'nothing';
  throw new EngineError(
    'checkpoint-missing',
    `${path} holds no checkpoint: expected ${MANIFEST} or ${PREFIX}… folders, found ${found}`,
  );
}

/** Reads every file of a checkpoint's folder. */
export async function readCheckpoint(folder: string): Promise<CheckpointFiles> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const files = names.map(
    async ({ name }) => [name, new Uint8Array(await readFile(join(folder, name)))] as const,
  );
  return new Map(await Promise.all(files));
}

/** Checkpoint folders of a run, oldest first. Half-written ones do not count. */
async function checkpointsOf(run: string): Promise<string[]> {
  const names = await readdir(run);
  return names
    .filter((name) => name.startsWith(PREFIX) && existsSync(join(run, name, MANIFEST)))
    .toSorted((a, b) => stepOf(a) - stepOf(b));
}

async function removeOldest(run: string): Promise<void> {
  const best = await readBest(run);
  for (const name of (await checkpointsOf(run)).slice(0, -KEPT)) {
    if (stepOf(name) !== best?.step) await rm(join(run, name), { recursive: true });
  }
}

const nameOf = (step: number) => `${PREFIX}${String(step).padStart(STEP_DIGITS, '0')}`;

function stepOf(name: string): number {
  return Number(name.slice(PREFIX.length));
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename survive a power cut. Some platforms cannot open folders; there it is left to them. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function describeFailure(error: unknown, run: string, files: CheckpointFiles): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') return error;
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  return new EngineError(
    'storage-full',
    `the disk is full: a checkpoint of ${bytes} bytes does not fit into ${run}; ` +
      `earlier checkpoints there are intact`,
    { cause: error },
  );
}
