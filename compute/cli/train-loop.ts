import {
  EngineError,
  type RateTest,
  type RunData,
  type TrainingRun,
  type Validation,
} from '../../engine/index.ts';
import { createStrides } from '../../trainer/index.ts';
import { saveCheckpoint, setAsideEarlierRun } from '../checkpoints/checkpoint-folder.ts';
import { keepRateTest } from '../runs/rate-test-files.ts';
import { openRunLog, type RunLog } from '../runs/run-log.ts';
import { type RunRecord, saveRunRecord } from '../runs/run-record.ts';
import { EXIT_CODES, onStopSignal, type StopSignal } from '../process/stop-signals.ts';
import { keepConfig, type TrainConfig } from './train-config.ts';
import type { RunDoctor } from './diagnose.ts';
import { sampleOf } from './train-outcome.ts';
import { writeTrainReport } from './train-report.ts';
import type { Reporter } from './train-reporter.ts';

/** Of a run of minutes: reports of the whole, the time to the first, and the longest between two. */
const REPORTS_PER_RUN = 10;
const FIRST_MS = 5000;
const MAX_MS_PER_REPORT = 60_000;

interface TrainLoop {
  readonly run: TrainingRun;
  readonly data: RunData;
  readonly config: TrainConfig;
  readonly tensorboard: boolean | undefined;
  /** By which the learning rate was chosen. */
  readonly rateTest: RateTest | undefined;
  readonly reporter: Reporter;
  readonly doctor: RunDoctor;
  readonly place: RunRecord;
  readonly output: string;
  readonly isResumed: boolean;
  /** The rate of the next step. */
  readonly learningRate: () => number;
  /** Steps between validations, each with a checkpoint; a tenth of a run of minutes where it is undefined. */
  readonly reportEvery: number | undefined;
}

/**
 * Trains until the budget is spent or the user stops it. A checkpoint is left either way; when the
 * device is lost or the loss diverges, the last one and the best stand and the error is thrown on.
 */
export async function trainToEnd(loop: TrainLoop): Promise<void> {
  const { run, reporter, output, isResumed } = loop;
  let stopped: StopSignal | undefined;
  const offSignals = onStopSignal((signal) => {
    stopped = signal;
    reporter.stopping();
  });
  const keeper = createKeeper(loop);
  const first = run.step();
  try {
    await trainUntil(loop, keeper, () => stopped !== undefined);
    await keeper.save();
  } catch (error) {
    reporter.failed({ error, output, last: keeper.lastStep(), best: keeper.best() });
    // Of a device that is lost there is less to show, and the error is what matters.
    await keeper.report(undefined).catch(() => undefined);
    const isDiverged = error instanceof EngineError && error.code === 'diverged';
    if (isDiverged) await loop.doctor.finished(output, true);
    throw error;
  } finally {
    offSignals();
  }
  const best = keeper.best();
  const isIdle = isResumed && run.step() === first;
  const sample = isIdle ? undefined : await sampleOf(run);
  await reporter.finished({ output, best, isIdle, sample });
  if (!isIdle) {
    await keeper.report(sample);
    await loop.doctor.finished(output, false);
  }
  if (stopped && run.progress() < 1) {
    reporter.interrupted(output);
    process.exitCode = EXIT_CODES[stopped];
  }
}

async function trainUntil(
  loop: TrainLoop,
  keeper: Keeper,
  isStopped: () => boolean,
): Promise<void> {
  const { run, reporter, reportEvery } = loop;
  const last = run.totalSteps ?? Number.MAX_SAFE_INTEGER;
  const strides = createStrides();
  const isDue = createReports(run, reportEvery);
  while (run.progress() < 1 && !isStopped()) {
    const next = Math.min(nextMultiple(run.step(), reportEvery ?? last), last);
    const progress = await run.advance(Math.min(strides.length(), next - run.step()));
    strides.took(progress.seconds / progress.losses.length);
    await (await keeper.log()).advanced(standingOf(loop), progress);
    reporter.advanced(progress);
    loop.doctor.advanced(progress);
    if (!isDue() && run.progress() < 1) continue;
    const validation = await run.validate();
    loop.doctor.validated(validation);
    // A reported step is on disk: whoever reads of it may pull the plug.
    await keeper.save();
    await keeper.validated(validation);
    await reporter.validated(validation);
  }
}

const standingOf = ({ run, learningRate }: TrainLoop) => ({
  step: run.step(),
  epoch: run.step() / run.stepsPerEpoch,
  learning_rate: learningRate(),
});

/** Tells whether a report is due after some steps. */
function createReports(run: TrainingRun, every: number | undefined): () => boolean {
  const share = () => Math.floor(run.progress() * REPORTS_PER_RUN);
  let [shown, at, patience] = [share(), performance.now(), FIRST_MS];
  return () => {
    if (every !== undefined) return run.step() % every === 0;
    if (share() === shown && performance.now() - at < patience) return false;
    [shown, at, patience] = [share(), performance.now(), MAX_MS_PER_REPORT];
    return true;
  };
}

/** Keeps what is written of a run: its checkpoints and its log. */
interface Keeper {
  /** Writes a checkpoint unless the last one is of this very step. */
  save(): Promise<void>;
  log(): Promise<RunLog>;
  validated(validation: Validation): Promise<void>;
  /** Writes report.html, with text that the model wrote where it is given. */
  report(sample: string | undefined): Promise<void>;
  /** The step of the last checkpoint, and of the best; undefined when there is none. */
  lastStep(): number | undefined;
  best(): number | undefined;
}

function createKeeper(loop: TrainLoop): Keeper {
  const { run, reporter, output, place, isResumed, config, tensorboard, rateTest } = loop;
  const from = isResumed ? run.step() : undefined;
  let saved = from;
  let isRecorded = false;
  let opening: Promise<RunLog> | undefined;
  let log: RunLog | undefined;
  let validation: Validation | undefined;
  const open = async () => {
    if (!isResumed) {
      const aside = await setAsideEarlierRun(output);
      if (aside) reporter.setAside(aside);
    }
    log = await openRunLog(output, from, { tensorboard: tensorboard === true });
    await keepConfig(output, from, config);
    if (rateTest) await keepRateTest(output, rateTest);
    return log;
  };
  return {
    lastStep: () => saved,
    best: () => log?.best()?.step,
    log: () => (opening ??= open()),
    async validated(result) {
      validation = result;
      await (await (opening ??= open())).validated(standingOf(loop), result);
    },
    report: (sample) =>
      writeTrainReport(output, { ...loop, lines: log?.lines ?? [], validation, sample }),
    async save() {
      if (saved === run.step()) return;
      await (opening ??= open());
      await saveCheckpoint(output, run.step(), await run.checkpoint());
      if (!isRecorded) await saveRunRecord(output, place);
      isRecorded = true;
      saved = run.step();
    },
  };
}

function nextMultiple(step: number, every: number): number {
  return (Math.floor(step / every) + 1) * every;
}
