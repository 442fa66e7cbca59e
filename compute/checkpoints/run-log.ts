import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobLog } from '../../trainer/index.ts';

/*
 * Files that a run leaves beside its checkpoints:
 *
 *   DIR/metrics.jsonl   a line for each report: {"kind":"train",…} of some steps, {"kind":"validation",…}
 *   DIR/best.json       the step of the checkpoint whose validation loss was lowest
 */
const METRICS = 'metrics.jsonl';
const BEST = 'best.json';

/** Of a run whose validation was best at that step. */
interface Best {
  readonly step: number;
  readonly val_loss: number;
}

/** Log of a run, written as it goes; a validation marks the best checkpoint. */
export interface RunLog extends JobLog {
  best(): Best | undefined;
}

/** @param from the step of the checkpoint that a run goes on from: lines beyond it are of steps made anew */
export async function openRunLog(folder: string, from: number | undefined): Promise<RunLog> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, METRICS);
  let best: Best | undefined;
  if (from === undefined) {
    await rm(join(folder, BEST), { force: true });
    await writeFile(path, '');
  } else {
    best = await readBest(folder);
    await dropBeyond(path, from);
  }
  const append = (line: object) => appendFile(path, `${JSON.stringify(line)}\n`);
  return {
    best: () => best,
    async advanced({ step, ...at }, { losses, norms, tokensPerSecond }) {
      const loss = losses.reduce((sum, one) => sum + one, 0) / losses.length;
      const grad_norm = norms.at(-1);
      const measured = { loss, grad_norm, tokens_per_s: tokensPerSecond };
      await append({ kind: 'train', step, ...at, ...measured, time: now() });
    },
    async validated({ step, epoch }, { loss: val_loss, figures }) {
      await append({ kind: 'validation', step, epoch, val_loss, ...figures, time: now() });
      if (best && best.val_loss <= val_loss) return false;
      best = { step, val_loss };
      const partial = join(folder, `.${BEST}`);
      await writeFile(partial, JSON.stringify(best));
      await rename(partial, join(folder, BEST));
      return true;
    },
  };
}

/** The step with the lowest validation loss of a run; undefined where none was written down. */
export async function readBest(folder: string): Promise<Best | undefined> {
  const path = join(folder, BEST);
  if (!existsSync(path)) return undefined;
  const read: unknown = parse(await readFile(path, 'utf8'));
  const { step, val_loss } = (read ?? {}) as Partial<Best>;
  return typeof step === 'number' && typeof val_loss === 'number' ? { step, val_loss } : undefined;
}

const now = () => new Date().toISOString();

/** Contents of the log of an earlier run in the same folder. */
export const LOG_FILES = [METRICS, BEST] as const;

/** A process that was killed may have written of steps that its last checkpoint does not know, and half a line. */
async function dropBeyond(path: string, step: number): Promise<void> {
  if (!existsSync(path)) return;
  const lines = (await readFile(path, 'utf8')).split('\n');
  const kept = lines.filter((line) => {
    const at = (parse(line) as { readonly step?: unknown } | undefined)?.step;
    return typeof at === 'number' && at <= step;
  });
  await writeFile(path, kept.map((line) => `${line}\n`).join(''));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
