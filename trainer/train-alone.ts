import { learningRateAt } from '../engine/index.ts';
import { commitCheckpoint } from './checkpoints.ts';
import type { JobContext, Session, Trained } from './job-context.ts';
import { intervalOf } from './job-plan.ts';
import { createRecorder } from './recorder.ts';
import { trainToEnd } from './training-loop.ts';

/** Trains a job that no other trainer takes part in, with a checkpoint every so many steps. */
export async function trainAlone(
  { lease, plan, client, asked, tell }: JobContext,
  { run, controls, resumed }: Session,
): Promise<Trained> {
  const { learningRate } = plan.settings;
  const recorder = createRecorder({
    run,
    seat: plan.seat,
    step: run.step,
    learningRate: () => learningRateAt(learningRate, controls, run.progress(), run.totalSteps),
    tell: (progress, points) => tell({ type: 'advanced', progress, points }),
  });
  const place = { client, jobId: plan.jobId, proof: lease, persistence: {} };
  let files = resumed;
  const outcome = await trainToEnd({
    run,
    validateEvery: intervalOf(plan.validateEvery, run.totalSteps),
    checkpointEvery: intervalOf(plan.checkpointEvery, run.totalSteps),
    asked,
    advanced: recorder.advanced,
    validated: recorder.validated,
    async checkpoint() {
      files = await run.checkpoint();
      const step = run.step();
      const epoch = step / run.stepsPerEpoch;
      await commitCheckpoint(place, { files, step, epoch, metrics: recorder.metrics() });
    },
  });
  if (outcome !== 'finished') return { outcome };
  // A run has made one step at least, and with it a checkpoint.
  return { outcome, files: files ?? (await run.checkpoint()), progress: recorder.progress() };
}
