import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { overallActivity } from '../../engine/index.ts';
import type { JobLog } from '../../trainer/index.ts';
import { openEvents } from './event-file.ts';
import { type MetricLine, openMetrics } from './metrics-file.ts';
import { BEST, jsonText, writeWhole } from './run-files.ts';

/** Of a run whose validation was best at that step. */
interface Best {
  readonly step: number;
  readonly val_loss: number;
}

/** Log of a run, written as it goes; a validation marks the best checkpoint. */
export interface RunLog extends JobLog {
  best(): Best | undefined;
  readonly lines: readonly MetricLine[];
}

interface RunLogOptions {
  /** Writes a file for TensorBoard, too. */
  readonly tensorboard?: boolean;
}

/** @param from the step of the checkpoint that a run resumes from: lines beyond it are of steps made anew */
export async function openRunLog(
  folder: string,
  from: number | undefined,
  { tensorboard = false }: RunLogOptions = {},
): Promise<RunLog> {
  await mkdir(folder, { recursive: true });
  if (from === undefined) await rm(join(folder, BEST), { force: true });
  let best = await readBest(folder);
  const metrics = await openMetrics(folder, from);
  const events = tensorboard ? await openEvents(folder, metrics.lines) : undefined;
  const append = async (line: MetricLine) => {
    await metrics.append(line);
    await events?.append(metrics.lines.at(-1) ?? line);
  };
  return {
    best: () => best,
    lines: metrics.lines,
    async advanced({ step, ...at }, { losses, norms, tokensPerSecond }) {
      const loss = losses.reduce((sum, one) => sum + one, 0) / losses.length;
      const grad_norm = norms.at(-1);
      await append({ kind: 'train', step, ...at, loss, grad_norm, tokens_per_s: tokensPerSecond });
    },
    async validated({ step, epoch }, { loss: val_loss, figures, layers }) {
      const activity = overallActivity(layers);
      const rates = Object.fromEntries(layers.map(({ name, rate }) => [name, rate]));
      const firing = activity && { spike_rate: activity.rate, dead_share: activity.dead, rates };
      await append({ kind: 'validation', step, epoch, val_loss, ...figures, ...firing });
      if (best && best.val_loss <= val_loss) return false;
      best = { step, val_loss };
      await writeWhole(join(folder, BEST), jsonText(best));
      return true;
    },
  };
}

/** The step with the lowest validation loss of a run; undefined where none was written down. */
export async function readBest(folder: string): Promise<Best | undefined> {
  const path = join(folder, BEST);
  if (!existsSync(path)) return undefined;
  const { step, val_loss } = await bestIn(path);
  return typeof step === 'number' && typeof val_loss === 'number' ? { step, val_loss } : undefined;
}

async function bestIn(path: string): Promise<Partial<Best>> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) ?? {}) as Partial<Best>;
  } catch {
    return {};
  }
}
