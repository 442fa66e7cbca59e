import type { JobProgress } from '../edge/training/contract/job.ts';
import type { MetricPoint } from '../edge/training/contract/job-event.ts';
import {
  overallActivity,
  type Progress,
  type TrainingRun,
  type Validation,
} from '../engine/index.ts';

/** Points of the curves are at least this many steps and this much time apart. */
const STEPS_PER_POINT = 10;
const POINT_MS = 100;

export interface Recorder {
  advanced(progress: Progress): void;
  validated(validation: Validation): void;
  progress(): JobProgress;
  /** Metrics of the latest checkpoint or result. */
  metrics(): Record<string, number>;
}

interface RecorderOptions {
  readonly run: TrainingRun;
  readonly seat: number;
  /** Steps of the budget that are spent. */
  readonly step: () => number;
  readonly learningRate: () => number;
  readonly post: (progress: JobProgress, points: readonly MetricPoint[]) => void;
  readonly now?: () => number;
}

/**
 * Condenses the measurements of a run to the points of a job's curves, few enough for a heartbeat every 2 s.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { run, seat, step, post, now = Date.now } = options;
  const clock = createClock(run);
  let since = { at: now(), losses: 0, steps: 0, seconds: 0, norm: Number.NaN };
  const latest: Record<string, number> = {};
  const progress = () => progressOf(run, step(), clock.remainingS());

  const point = (more: Partial<MetricPoint>): MetricPoint => ({
    step: step(),
    seat,
    time: now() / 1000,
    train_loss: null,
    valid_loss: null,
    tokens_per_s: null,
    spike_rate: null,
    learning_rate: null,
    grad_norm: null,
    ...more,
  });

  const measured = (): Partial<MetricPoint> => {
    if (since.steps === 0) return {};
    const train_loss = since.losses / since.steps;
    latest['train_loss'] = train_loss;
    return {
      train_loss,
      tokens_per_s: (since.steps * run.itemsPerStep) / since.seconds,
      learning_rate: options.learningRate(),
      grad_norm: Number.isFinite(since.norm) ? since.norm : null,
    };
  };
  const begin = () => {
    since = { at: now(), losses: 0, steps: 0, seconds: 0, norm: Number.NaN };
  };

  return {
    progress,
    metrics: () => ({ ...latest }),
    advanced({ losses, norms, seconds }) {
      for (const loss of losses) since.losses += loss;
      since.steps += losses.length;
      since.seconds += seconds;
      since.norm = norms.at(-1) ?? Number.NaN;
      clock.advanced(seconds);
      const isDue = since.steps >= STEPS_PER_POINT && now() - since.at >= POINT_MS;
      post(progress(), isDue ? [point(measured())] : []);
      if (isDue) begin();
    },
    validated({ loss, layers, figures }) {
      const rate = overallActivity(layers)?.rate;
      const points = [point({ ...measured(), valid_loss: loss, spike_rate: rate ?? null })];
      // JSON cannot represent NaN and Infinity.
      const measurable = Object.entries({ ...figures, valid_loss: loss, spike_rate: rate });
      for (const [name, value] of measurable) {
        if (Number.isFinite(value)) latest[name] = Number(value);
      }
      post(progress(), points);
      begin();
    },
  };
}

function progressOf(run: TrainingRun, step: number, remainingS: number | null): JobProgress {
  return {
    epoch: step / run.stepsPerEpoch,
    step,
    total_steps: run.totalSteps ?? null,
    percent: 100 * run.progress(),
    eta_s: remainingS,
  };
}

/** Estimates the remaining time from the time taken so far. */
function createClock(run: TrainingRun) {
  const from = run.progress();
  let seconds = 0;
  return {
    advanced: (more: number) => {
      seconds += more;
    },
    remainingS(): number | null {
      const done = run.progress() - from;
      return done > 0 ? (seconds * (1 - run.progress())) / done : null;
    },
  };
}
