import {
  learningRateAt,
  type Progress,
  type TrainingRun,
  type Validation,
} from '../engine/index.ts';
import { commitCheckpoint, type NewCheckpoint } from './checkpoints.ts';
import type { JobLog } from './environment.ts';
import type { JobContext, Session, Trained } from './job-context.ts';
import { isRefusal, jobErrorOf } from './job-failure.ts';
import { intervalOf } from './job-plan.ts';
import { createRecorder } from './recorder.ts';
import { trainToEnd } from './training-loop.ts';

/** Trains a job without other trainers, with periodic checkpoints. */
export async function trainAlone(
  context: JobContext,
  { run, controls, resumed }: Session,
): Promise<Trained> {
  const { lease, plan, client, requestedEnd, post } = context;
  const rate = plan.settings.learningRate;
  const learningRate = () => learningRateAt(rate, controls, run.progress(), run.totalSteps);
  const recorder = createRecorder({
    run,
    seat: plan.seat,
    step: run.step,
    learningRate,
    post: (progress, points) => post({ type: 'advanced', progress, points }),
  });
  const runLog = await openRunLog(context, { run, learningRate, isResumed: resumed !== undefined });
  const place = { client, jobId: plan.jobId, proof: lease, retryOptions: {} };
  let files = resumed;
  let last: Validation | undefined;
  const outcome = await trainToEnd({
    run,
    validateEvery: intervalOf(plan.validateEvery, run.totalSteps),
    checkpointEvery: intervalOf(plan.checkpointEvery, run.totalSteps),
    requestedEnd,
    async advanced(progress) {
      recorder.advanced(progress);
      await runLog.advanced(progress);
    },
    async validated(validation) {
      last = validation;
      recorder.validated(validation);
      await runLog.validated(validation);
    },
    async checkpoint() {
      files = await run.checkpoint();
      const step = run.step();
      const epoch = step / run.stepsPerEpoch;
      const checkpoint = { files, step, epoch, metrics: recorder.metrics() };
      await commitCheckpoint(place, checkpoint).catch(async (error: unknown) => {
        if (isRefusal(error)) await storeUnsent(context, checkpoint);
        throw error;
      });
    },
  });
  if (outcome !== 'finished') return { outcome };
  // A run has at least one step, and thereby a checkpoint.
  const result = files ?? (await run.checkpoint());
  return { outcome, files: result, progress: recorder.progress(), validation: last };
}

/** Stores an unsent checkpoint locally, so that the machine's owner can continue from it. */
async function storeUnsent(
  { plan: { jobId }, environment: { files: place }, post }: JobContext,
  { files, step }: Pick<NewCheckpoint, 'files' | 'step'>,
): Promise<void> {
  if (!place) return;
  const folder = `unsent/${jobId}`;
  await place.keepResult(folder, step, files);
  const message = `the platform refuses this trainer; step ${step} is kept in ${folder} of its output`;
  post({ type: 'said', line: { level: 'warn', message } });
}

/** The output folder of a job during training: its metrics, and its best checkpoint so far. */
interface RunLog {
  advanced(progress: Progress): Promise<void>;
  validated(validation: Validation): Promise<void>;
}

interface LoggedRun {
  readonly run: TrainingRun;
  readonly learningRate: () => number;
  readonly isResumed: boolean;
}

/** Does nothing without an output_dir, and stops after a failed write: the job continues. */
async function openRunLog(
  { plan: { outputDir }, environment: { files }, post }: JobContext,
  { run, learningRate, isResumed }: LoggedRun,
): Promise<RunLog> {
  let log: JobLog | undefined;
  const attempt = async (write: () => Promise<void>) => {
    try {
      await write();
    } catch (error) {
      log = undefined;
      const message = `nothing more is written in output_dir "${outputDir}": ${jobErrorOf(error).message}`;
      post({ type: 'said', line: { level: 'warn', message } });
    }
  };
  const position = () => ({
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
    advanced: (progress) => attempt(async () => log?.advanced(position(), progress)),
    validated: (validation) =>
      attempt(async () => {
        const isBest = await log?.validated(position(), validation);
        if (!isBest || !files || outputDir === undefined) return;
        await files.keepResult(outputDir, run.step(), await run.checkpoint());
      }),
  };
}
