import type { TrainingRun } from '../../engine/index.ts';
import { saveCheckpoint, setAsideEarlierRun } from '../checkpoints/checkpoint-folder.ts';
import { type RunRecord, saveRunRecord } from '../checkpoints/run-record.ts';
import { EXIT_CODES, onStopSignal, type StopSignal } from '../process/stop-signals.ts';
import type { Reporter } from './train-reporter.ts';

/** Steps between looks at the clock and at Ctrl-C. */
const STRIDE = 10;

export interface TrainLoop {
  readonly run: TrainingRun;
  readonly reporter: Reporter;
  readonly place: RunRecord;
  readonly output: string;
  readonly isResumed: boolean;
  /** Steps between validations, each with a checkpoint. */
  readonly reportEvery: number;
}

/**
 * Trains until the budget is spent or the user stops it. A checkpoint is left either way; when the
 * device is lost or the loss diverges, the last one stands and the error is thrown on.
 */
export async function trainToEnd(loop: TrainLoop): Promise<void> {
  const { run, reporter, output, isResumed } = loop;
  let stopped: StopSignal | undefined;
  const offSignals = onStopSignal((signal) => {
    stopped = signal;
    console.error('\nstopping after these steps, then writing a checkpoint …');
  });
  const saver = createSaver(loop);
  const first = run.step();
  try {
    await trainUntil(loop, saver, () => stopped !== undefined);
    await saver.save();
  } catch (error) {
    reporter.failed(saver.lastStep(), output);
    throw error;
  } finally {
    offSignals();
  }
  reporter.finished(output, { isIdle: isResumed && run.step() === first });
  if (stopped && run.progress() < 1) {
    reporter.interrupted(output);
    process.exitCode = EXIT_CODES[stopped];
  }
}

async function trainUntil(
  { run, reporter, reportEvery }: TrainLoop,
  saver: Saver,
  isStopped: () => boolean,
): Promise<void> {
  const last = run.totalSteps ?? Number.MAX_SAFE_INTEGER;
  while (run.progress() < 1 && !isStopped()) {
    const next = Math.min(nextMultiple(run.step(), reportEvery), last);
    reporter.advanced(await run.advance(Math.min(STRIDE, next - run.step())));
    if (run.step() % reportEvery !== 0 && run.progress() < 1) continue;
    const validation = await run.validate();
    // What is reported is safe: whoever reads of a step may pull the plug.
    await saver.save();
    reporter.validated(validation);
  }
}

interface Saver {
  /** Writes a checkpoint unless the last one is of this very step. */
  save(): Promise<void>;
  /** The step of the last checkpoint; undefined when there is none. */
  lastStep(): number | undefined;
}

function createSaver({ run, reporter, output, place, isResumed }: TrainLoop): Saver {
  let saved = isResumed ? run.step() : undefined;
  let isRecorded = false;
  return {
    lastStep: () => saved,
    async save() {
      if (saved === run.step()) return;
      if (saved === undefined) {
        const aside = await setAsideEarlierRun(output);
        if (aside) reporter.setAside(aside);
      }
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
