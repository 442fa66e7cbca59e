import type { JobMetrics } from './contract/job.ts';
import type { MetricPoint } from './contract/job-event.ts';

const FIELDS = ['train_loss', 'valid_loss', 'tokens_per_s', 'spike_rate'] as const;

/** The latest value of each measurement that points hold; what none of them measured is left out. */
export function latestMetrics(points: readonly MetricPoint[]): Partial<JobMetrics> {
  const latest: Partial<JobMetrics> = {};
  for (const field of FIELDS) {
    const value = points.findLast((point) => point[field] !== null)?.[field];
    if (value !== undefined) latest[field] = value;
  }
  return latest;
}
