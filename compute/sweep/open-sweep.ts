import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../../engine/index.ts';
import { createJournal, type Journal, openJournal } from './journal.ts';
import type { PlacedSweep, SweepPlan } from './sweep-plan.ts';

interface OpenOptions {
  readonly folder: string;
  /** Whether there has to be a sweep in the folder already. */
  readonly mustResume: boolean;
  /** Finds the dataset its place on the platform, once: a sweep that goes on has it. */
  readonly placeDataset: () => Promise<string | undefined>;
}

interface OpenSweep extends Disposable {
  readonly sweep: PlacedSweep;
  readonly journal: Journal;
  readonly isResumed: boolean;
}

/**
 * Opens the sweep of a folder, or begins one there. Throws EngineError `checkpoint-mismatch` for a folder with
 * another sweep, `checkpoint-missing` for none where one is expected, and `invalid-setting` where another process
 * drives it.
 */
export async function openSweep(plan: SweepPlan, options: OpenOptions): Promise<OpenSweep> {
  const { folder, mustResume, placeDataset } = options;
  await mkdir(folder, { recursive: true });
  const release = await takeFolder(folder);
  try {
    const found = await openJournal(folder);
    if (found) refuseOtherSweep(plan, found, folder);
    if (!found && mustResume) {
      throw new EngineError(
        'checkpoint-missing',
        `${folder} has no journal: expected that of a sweep to resume`,
      );
    }
    const journal = found ?? (await begin(plan, folder, await placeDataset()));
    const { id, dataset_path: datasetPath } = journal.header;
    return {
      sweep: { ...plan, id, datasetPath },
      journal,
      isResumed: found !== undefined,
      [Symbol.dispose]: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

function begin(plan: SweepPlan, folder: string, datasetPath: string | undefined) {
  return createJournal(folder, {
    id: `${plan.file.name}-${randomBytes(4).toString('hex')}`,
    ...(datasetPath !== undefined && { dataset_path: datasetPath }),
    file: plan.file,
  });
}

/** How many jobs are under way at a time may change; all else is what makes it this sweep. */
function refuseOtherSweep({ file }: SweepPlan, { header }: Journal, folder: string): void {
  const own: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(file));
  const names = new Set([...Object.keys(own), ...Object.keys(header.file)]);
  names.delete('parallel');
  for (const name of names) {
    if (isDeepStrictEqual(own[name], header.file[name])) continue;
    const [now, before] = [own[name], header.file[name]].map((value) => JSON.stringify(value));
    throw new EngineError(
      'checkpoint-mismatch',
      `${folder} holds a sweep with ${name} ${before}, and the file says ${now}: expected the same file, or another folder with --out`,
    );
  }
}

const LOCK = 'driver.pid';

/** Two drivers of one journal would undo each other's lines. A lock whose process is gone counts for nothing. */
async function takeFolder(folder: string): Promise<() => void> {
  const path = join(folder, LOCK);
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    if (isRunning(owner)) {
      throw new EngineError(
        'invalid-setting',
        `process ${owner} drives the sweep in ${folder}: expected none (where it does not, delete ${path})`,
      );
    }
    rmSync(path, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
