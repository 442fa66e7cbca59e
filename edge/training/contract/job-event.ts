import * as z from 'zod/mini';
import { Seq } from '../../contract/event-query.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** An event of a job, retained as long as the job. `seq` counts from 1 in each job. */
export const JobEvent = z.object({
  id: z.string(),
  seq: z.int(),
  created_at: Timestamp,
  level: z.enum(['debug', 'info', 'warn', 'error']),
  /** Such as job.status, job.lease, job.checkpoint, job.round, job.message. */
  type: z.string(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
});
export type JobEvent = z.infer<typeof JobEvent>;

/**
 * The response of `GET /jobs/{id}/events`. As a stream it continues until the job has ended, with metrics
 * between the events as `event: metrics` without an id, each a `MetricPoint`.
 */
export const EventList = z.object({
  events: z.array(JobEvent),
  total: z.int(),
  has_more: z.boolean(),
});
export type EventList = z.infer<typeof EventList>;

const measured = z.nullable(z.number());

/** Metrics up to a step, since the previous point. */
export const MetricPoint = z.object({
  step: z.int(),
  seat: z.int(),
  /** Epoch seconds. */
  time: z.number(),
  train_loss: measured,
  valid_loss: measured,
  tokens_per_s: measured,
  spike_rate: measured,
  learning_rate: measured,
  grad_norm: measured,
});
export type MetricPoint = z.infer<typeof MetricPoint>;

/** `GET /jobs/{id}/metrics`: at most a thousand points per seat; denser series are thinned evenly. */
export const MetricSeries = z.object({ job_id: z.string(), points: z.array(MetricPoint) });
export type MetricSeries = z.infer<typeof MetricSeries>;

export const SeriesQuery = z.strictObject({
  /** Points of later steps only. */
  after_step: z.optional(Seq),
  seat: z.optional(Seq),
});
export type SeriesQuery = z.output<typeof SeriesQuery>;
