import type { Progress, TrainingRun, Validation } from '../engine/index.ts';
import type { JobLog } from './environment.ts';
import type { JobContext } from './job-context.ts';
import { jobErrorOf } from './job-failure.ts';

/** What a job leaves in its output_dir while it trains: its metrics, and the checkpoint that was best so far. */
export interface RunNotes {
  advanced(progress: Progress): Promise<void>;
  validated(validation: Validation): Promise<void>;
}

export interface NotedRun {
  readonly run: TrainingRun;
  readonly learningRate: () => number;
  readonly isResumed: boolean;
}

/** Nothing is written where no output_dir was asked for, and nothing more once it cannot be: the job goes on. */
export async function openNotes(
  { plan: { outputDir }, environment: { files }, tell }: JobContext,
  { run, learningRate, isResumed }: NotedRun,
): Promise<RunNotes> {
  let log: JobLog | undefined;
  const attempt = async (write: () => Promise<void>) => {
    try {
      await write();
    } catch (error) {
      log = undefined;
      const message = `nothing more is written in output_dir "${outputDir}": ${jobErrorOf(error).message}`;
      tell({ type: 'said', line: { level: 'warn', message } });
    }
  };
  const standing = () => ({
    step: run.step(),
    epoch: run.step() / run.stepsPerEpoch,
    learning_rate: learningRate(),
  });
  if (files && outputDir !== undefined) {
    await attempt(async () => {
      log = await files.openLog(outputDir, isResumed ? run.step() : undefined);
    });
  }
  return {
    advanced: (progress) => attempt(async () => log?.advanced(standing(), progress)),
    validated: (validation) =>
      attempt(async () => {
        const isBest = await log?.validated(standing(), validation);
        if (!isBest || !files || outputDir === undefined) return;
        await files.keepResult(outputDir, run.step(), await run.checkpoint());
      }),
  };
}
