import type { JobRecord } from '../../../edge/training/contract/job.ts';
import type { MetricPoint } from '../../../edge/training/contract/job-event.ts';
import { createSeriesBuffer, type SeriesBuffer } from '../../widgets/buffers/series-buffer.ts';
import { flatten } from '../../records/flatten.ts';

export const COMPARED = ['train_loss', 'valid_loss', 'spike_rate', 'tokens_per_s'] as const;
export type Compared = (typeof COMPARED)[number];

/** One metric of several jobs over the same steps: a curve per job. */
export function overlay(
  runs: readonly (readonly MetricPoint[])[],
  measure: Compared,
): SeriesBuffer {
  const rows = new Map<number, number[]>();
  for (const [index, points] of runs.entries()) {
    for (const point of points) {
      const value = point[measure];
      if (value === null) continue;
      const row = rows.get(point.step) ?? Array.from(runs, () => Number.NaN);
      row[index] = value;
      rows.set(point.step, row);
    }
  }
  const buffer = createSeriesBuffer(Math.max(1, runs.length), Math.max(1, rows.size));
  for (const [step, row] of [...rows].toSorted(([a], [b]) => a - b)) buffer.push(step, row);
  return buffer;
}

/** A field in which jobs differ, with its value in each; undefined where it is absent. */
export interface ConfigDifference {
  readonly field: string;
  readonly values: readonly (string | undefined)[];
}

/** The fields in which the configurations of jobs differ. */
export function configDifferences(jobs: readonly JobRecord[]): readonly ConfigDifference[] {
  const all = jobs.map((job) => new Map(flatten(comparable(job), '')));
  const fields = [...new Set(all.flatMap((values) => [...values.keys()]))];
  return fields
    .map((field) => ({ field, values: all.map((values) => values.get(field)) }))
    .filter(({ values }) => new Set(values).size > 1);
}

const comparable = (job: JobRecord) => ({
  model_name: job.model_name,
  dataset_path: job.dataset_path,
  ...job.config,
  learning_rate: job.learning_rate,
  convergence_profile: job.convergence_profile,
  controls: job.effective?.['controls'] ?? job.submitted['controls'],
  priority: job.priority,
  replicas: job.replicas,
  ...(job.distributed && { distributed: job.distributed }),
  device: job.device,
});
