import type { Progress, TrainingRun, Validation } from '../engine/index.ts';
import type { EarlyEnd } from './job-messages.ts';

/** Maximum number of steps between checks of the clock and of requests. */
const MAX_STEPS = 10;
/** A slow run checks more often: a cancellation waits for the current stride. */
const STRIDE_S = 1;
/** Maximum time between two checkpoints. */
const CHECKPOINT_MS = 30_000;

interface TrainingLoop {
  readonly run: TrainingRun;
  readonly validateEvery: number;
  readonly checkpointEvery: number;
  /** Set once the job is to end early. */
  readonly requestedEnd: () => EarlyEnd | undefined;
  readonly advanced: (progress: Progress) => Promise<void>;
  readonly validated: (validation: Validation) => Promise<void>;
  readonly checkpoint: () => Promise<void>;
  readonly now?: () => number;
}

/** Trains until the budget is spent or the job is to end early, and stores a checkpoint either way. */
export async function trainToEnd(loop: TrainingLoop): Promise<EarlyEnd | 'finished'> {
  const { run, validateEvery, checkpointEvery, requestedEnd } = loop;
  const strides = createStrides();
  const saver = createSaver(loop);
  // Another trainer may have been lost after its last checkpoint and before reporting its validation.
  if (run.progress() >= 1) await loop.validated(await run.validate());
  while (run.progress() < 1 && requestedEnd() === undefined) {
    const progress = await run.advance(Math.min(strides.length(), stepsToNext(loop)));
    strides.took(progress.seconds / progress.losses.length);
    await loop.advanced(progress);
    const isReport = run.step() % validateEvery === 0 || run.progress() >= 1;
    if (isReport) await loop.validated(await run.validate());
    if (run.step() % checkpointEvery === 0 || saver.isDue()) await saver.save();
  }
  await saver.save();
  return run.progress() < 1 ? (requestedEnd() ?? 'finished') : 'finished';
}

/** Steps to the next report, the next checkpoint or the end. */
function stepsToNext({ run, validateEvery, checkpointEvery }: TrainingLoop): number {
  const step = run.step();
  const left = (run.totalSteps ?? Infinity) - step;
  return Math.min(
    validateEvery - (step % validateEvery),
    checkpointEvery - (step % checkpointEvery),
    left,
  );
}

/** Writes checkpoints, none twice, and knows when one was too long ago. */
function createSaver({ run, checkpoint, now = Date.now }: TrainingLoop) {
  let saved = { step: run.step(), at: now() };
  return {
    isDue: () => now() - saved.at >= CHECKPOINT_MS,
    async save() {
      if (saved.step === run.step()) return;
      await checkpoint();
      saved = { step: run.step(), at: now() };
    },
  };
}

/** How many steps to queue at a time, by how long the latest took. */
export function createStrides() {
  let length = 1;
  return {
    length: () => length,
    took(secondsPerStep: number) {
      length = Math.max(1, Math.min(MAX_STEPS, Math.floor(STRIDE_S / secondsPerStep)));
    },
  };
}
