import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/*
 * A run's folder beside its checkpoints:
 *
 *   config.json     what was trained and how: `train --config` takes that of a command back
 *   metrics.jsonl   a line for each report: {"kind":"train",…} of some steps, {"kind":"validation",…}
 *   best.json       the step whose validation loss was lowest
 *   report.html     all of it to look at
 *   last.safetensors, best.safetensors   models of a run of the library; training.safetensors, from which it resumes
 *   learning-rate.json, learning-rate.svg   the range test of `--learning-rate auto`
 *   diagnosis.json  why the run did not learn, as far as it is known
 *   run.json        paths of data and teacher, which checkpoints do not hold
 *   events.out.tfevents.spikegrid   the same metrics for TensorBoard, on request
 */
export const CONFIG = 'config.json';
export const METRICS = 'metrics.jsonl';
export const BEST = 'best.json';
export const REPORT = 'report.html';
export const DIAGNOSIS = 'diagnosis.json';
export const RECORD = 'run.json';
export const RATE_TEST = 'learning-rate.json';
export const RATE_CURVE = 'learning-rate.svg';
export const EVENTS = 'events.out.tfevents.spikegrid';

export const LAST_MODEL = 'last.safetensors';
export const BEST_MODEL = 'best.safetensors';
export const TRAINING = 'training.safetensors';

/** All of them: an earlier run in the same folder takes its own along. */
export const RUN_FILES = [
  CONFIG,
  METRICS,
  BEST,
  REPORT,
  DIAGNOSIS,
  RECORD,
  RATE_TEST,
  RATE_CURVE,
  EVENTS,
  LAST_MODEL,
  BEST_MODEL,
  TRAINING,
] as const;

/** Writes a file that appears by one rename, in place of one that was there. */
export async function writeWhole(path: string, contents: string | Uint8Array): Promise<void> {
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(partial, contents, { flush: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
