import * as z from 'zod/mini';
import { ModelId } from '../../registry/contract/model.ts';
import type { JobRecord } from './job.ts';

/*
 * A sweep is a set of jobs that differ in the values of some fields. The platform knows jobs alone: a client makes
 * them, and labels each by its metadata, so that every other client finds the sweep in the list of jobs.
 */

/** The measurements that a sweep may look for, and which way is better. */
export const METRICS = {
  valid_loss: 'lowest',
  train_loss: 'lowest',
  accuracy: 'highest',
  spike_rate: 'lowest',
  tokens_per_s: 'highest',
} as const;
export const Metric = z.enum(Object.keys(METRICS) as [Metric, ...Metric[]]);
export type Metric = keyof typeof METRICS;

export const METHODS = ['grid', 'random', 'asha'] as const;
export const Method = z.enum(METHODS);

/** The label of a job that belongs to a sweep. */
export interface SweepLabel {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  readonly metric: Metric;
  /** Runs of the whole sweep. */
  readonly runs: number;
  /** From 0. */
  readonly run: number;
  /** From 0; above 0 the job continues the one of the rung before. */
  readonly rung: number;
  /** The searched fields. */
  readonly search: readonly string[];
  /** The registry's id of the best run. */
  readonly output: string;
}

const Label = z.object({
  sweep: z.string().check(z.minLength(1)),
  sweep_method: Method,
  sweep_metric: Metric,
  sweep_runs: z.string().check(z.regex(/^\d{1,4}$/)),
  sweep_run: z.string().check(z.regex(/^\d{1,4}$/)),
  sweep_rung: z.string().check(z.regex(/^\d{1,2}$/)),
  sweep_search: z.string(),
  sweep_output: ModelId,
});

/** The metadata of a job of a sweep. */
export const metadataOf = (label: SweepLabel): z.infer<typeof Label> => ({
  sweep: label.id,
  sweep_method: label.method,
  sweep_metric: label.metric,
  sweep_runs: String(label.runs),
  sweep_run: String(label.run),
  sweep_rung: String(label.rung),
  sweep_search: label.search.join(','),
  sweep_output: label.output,
});

/** The label in a job's metadata; undefined for a job of no sweep. */
export function sweepLabelOf({ metadata }: Pick<JobRecord, 'metadata'>): SweepLabel | undefined {
  const parsed = z.safeParse(Label, metadata);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  return {
    id: data.sweep,
    method: data.sweep_method,
    metric: data.sweep_metric,
    runs: Number(data.sweep_runs),
    run: Number(data.sweep_run),
    rung: Number(data.sweep_rung),
    search: data.sweep_search.split(',').filter((name) => name !== ''),
    output: data.sweep_output,
  };
}

/** The last value of a metric that a job has reported; null before there is one. */
export function metricOf(
  { metrics, verdict, checkpoints }: Pick<JobRecord, 'metrics' | 'verdict' | 'checkpoints'>,
  metric: Metric,
): number | null {
  const kept = checkpoints[0]?.metrics[metric] ?? null;
  if (metric !== 'accuracy') return metrics[metric] ?? kept;
  return verdict?.floor.figure === 'accuracy' ? verdict.reached : kept;
}

/** The value that a job has for a searched field; undefined where it left the field to the platform. */
export function fieldOf(
  { config, submitted, learning_rate }: Pick<JobRecord, 'config' | 'submitted' | 'learning_rate'>,
  name: string,
): unknown {
  if (name === 'learning_rate') return learning_rate;
  if (!name.startsWith('controls.')) return config[name] ?? submitted[name];
  const { controls } = submitted as { readonly controls?: Readonly<Record<string, unknown>> };
  return controls?.[name.slice('controls.'.length)];
}
