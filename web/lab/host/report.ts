import type { Progress, TrainingRun } from '../../../engine/index.ts';
import type { ProgressFacts } from '../protocol.ts';

/** How often progress is reported, ms; a stride that takes longer is reported by itself. */
const REPORT_EVERY_MS = 100;

/** Adds strides up and reports them ten times a second. */
export interface Report {
  add(progress: Progress): void;
  /** Reports what was added since the report before, if anything was. */
  flush(): void;
  /** Reports where the run is, whether it has moved or not. */
  now(): void;
  /** The time left is estimated from here on. */
  restart(): void;
}

export function createReport(
  run: TrainingRun,
  now: () => number,
  progressed: (progress: ProgressFacts) => void,
): Report {
  let [steps, seconds, lossSum] = [0, 0, 0];
  let reportedAt = Number.NEGATIVE_INFINITY;
  let start = { at: now(), fraction: run.progress() };

  function report() {
    progressed({
      step: run.step(),
      epoch: run.step() / run.stepsPerEpoch,
      fraction: run.progress(),
      // Without a step these are 0 / 0: not a number, which is the truth.
      loss: lossSum / steps,
      tokensPerSecond: (steps * run.itemsPerStep) / seconds,
      secondsLeft: secondsLeft(),
    });
    [steps, seconds, lossSum] = [0, 0, 0];
    reportedAt = now();
  }

  /** From the time this stretch of training took so far, validations and all. */
  function secondsLeft(): number | null {
    const done = run.progress() - start.fraction;
    return done > 0 ? (((now() - start.at) / 1000) * (1 - run.progress())) / done : null;
  }

  const flush = () => {
    if (steps > 0) report();
  };

  return {
    flush,
    now: report,
    restart() {
      start = { at: now(), fraction: run.progress() };
    },
    add({ losses, seconds: took }) {
      steps += losses.length;
      seconds += took;
      for (const loss of losses) lossSum += loss;
      if (now() - reportedAt >= REPORT_EVERY_MS) flush();
    },
  };
}
