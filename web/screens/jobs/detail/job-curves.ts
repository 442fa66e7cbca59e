import type { MetricPoint } from '../../../../edge/training/contract/job-event.ts';
import { createSeriesBuffer } from '../../../widgets/buffers/series-buffer.ts';

/** Points come with the heartbeats: these are hours. */
const ROWS = 20_000;

/** What the curves of one seat of a job are drawn from. */
export function createJobCurves() {
  /** Training and validation loss. */
  const loss = createSeriesBuffer(2, ROWS);
  const spikes = createSeriesBuffer(1, ROWS);
  const speed = createSeriesBuffer(1, ROWS);
  const gradient = createSeriesBuffer(1, ROWS);
  const all = [loss, spikes, speed, gradient];
  let newest = { step: -1, time: -1 };

  function clear() {
    newest = { step: -1, time: -1 };
    for (const buffer of all) buffer.clear();
  }

  return {
    loss,
    spikes,
    speed,
    gradient,
    clear,
    /** Adds what was measured, unless it is there already. */
    add(point: MetricPoint) {
      const { step, time } = point;
      if (step <= newest.step) {
        if (time <= newest.time) return;
        // The job went back to a checkpoint, and comes by again.
        for (const buffer of all) buffer.dropAfter(step - 1);
      }
      newest = { step, time };
      loss.push(step, [orGap(point.train_loss), orGap(point.valid_loss)]);
      spikes.push(step, [orGap(point.spike_rate)]);
      speed.push(step, [orGap(point.tokens_per_s)]);
      gradient.push(step, [orGap(point.grad_norm)]);
    },
  };
}

export type JobCurves = ReturnType<typeof createJobCurves>;

const orGap = (value: number | null): number => value ?? Number.NaN;
