import * as z from 'zod/mini';
import { Mismatch } from '../../registry/contract/compatibility.ts';
import { Digest } from '../../contract/digest.ts';
import { Cursor, PageSize, pageMembers } from '../../contract/paging.ts';
import { ownedMembers, Team } from '../../contract/team.ts';
import { Timestamp, TimestampInput } from '../../contract/timestamp.ts';
import { CheckpointRecord } from './checkpoint.ts';
import { Choices, ConvergenceProfile } from './controls.ts';
import { BaseModel, Category, Distributed, Requirements } from './train-request.ts';

export const JobStatus = z.enum([
  'queued',
  'validating',
  'running',
  'recovering',
  'cancelling',
  'succeeded',
  'failed',
  'cancelled',
]);
export type JobStatus = z.infer<typeof JobStatus>;

export const TERMINAL: ReadonlySet<JobStatus> = new Set(['succeeded', 'failed', 'cancelled']);

/** Why a job failed. The list is open: an older client understands a newer server. */
export const JobError = z.object({
  /** Such as dataset_invalid, gpu_out_of_memory, runtime_error, diverged, worker_lost, register_failed. */
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  /** Of base_model_mismatch: the differences, as in the refusal of a request. */
  mismatches: z.optional(z.array(Mismatch)),
});
export type JobError = z.infer<typeof JobError>;

export const JobProgress = z.object({
  /** Passes over the data, a fraction. */
  epoch: z.number(),
  step: z.int(),
  /** Null where the budget is one of minutes, or before it is known. */
  total_steps: z.nullable(z.int()),
  percent: z.number(),
  eta_s: z.nullable(z.number()),
});
export type JobProgress = z.infer<typeof JobProgress>;

/** The result compared with a trivial baseline: an n-gram model, or the most common class. */
export const JobVerdict = z.object({
  floor: z.object({
    name: z.enum([
      'uniform',
      'unigram',
      'bigram',
      'trigram',
      '4-gram',
      '5-gram',
      'majority',
      'linear',
    ]),
    /** Less is better of a loss, more of an accuracy. */
    figure: z.enum(['loss', 'accuracy']),
    /** Nats per token, or a fraction. */
    value: z.number(),
  }),
  reached: z.number(),
  is_beaten: z.boolean(),
});
export type JobVerdict = z.infer<typeof JobVerdict>;

/** The latest measurements; losses are means in nats per token. */
export const JobMetrics = z.object({
  train_loss: z.nullable(z.number()),
  valid_loss: z.nullable(z.number()),
  tokens_per_s: z.nullable(z.number()),
  /** Spikes per neuron and time step. */
  spike_rate: z.nullable(z.number()),
});
export type JobMetrics = z.infer<typeof JobMetrics>;

/** One time that a trainer held a job, or a seat of it. */
export const Attempt = z.object({
  attempt: z.int(),
  /** The seat of a job with several replicas; 0 of any other. */
  seat: z.int(),
  trainer_id: z.string(),
  trainer_name: z.string(),
  lease_id: z.string(),
  started_at: Timestamp,
  ended_at: z.nullable(Timestamp),
  /** Why it ended: completed, failed, cancelled, released, lost; null while it is in progress. */
  outcome: z.nullable(z.enum(['completed', 'failed', 'cancelled', 'released', 'lost'])),
  /** The step it resumed from, and the last one it reported. */
  from_step: z.int(),
  last_step: z.int(),
  heartbeat_at: Timestamp,
});
export type Attempt = z.infer<typeof Attempt>;

/** The progress of the rounds of a job with several replicas. */
export const RoundsState = z.object({
  /** The round that is being trained, from 1. */
  round: z.int(),
  members: z.int(),
  contributed: z.int(),
  /** Of all rounds so far: what members sent, and what it would have been in float32. */
  bytes_sent: z.int(),
  bytes_float32: z.int(),
});
export type RoundsState = z.infer<typeof RoundsState>;

export const JobRecord = z.object({
  job_id: z.string(),
  kind: z.enum(['train', 'lm']),
  status: JobStatus,
  status_reason: z.string(),
  model_type: z.nullable(z.string()),
  category: z.nullable(Category),
  /** The registry's id of the result, also as `output_name`. */
  model_name: z.string(),
  output_name: z.string(),
  /** The registered version that it continues from; null where it starts from scratch. */
  base_model: z.nullable(BaseModel),
  /** Null where the data is made up. */
  dataset_path: z.nullable(z.string()),
  output_dir: z.nullable(z.string()),
  /** The fields of the run: those submitted, and those chosen (`controls`). */
  config: z.record(z.string(), z.unknown()),
  learning_rate: z.number(),
  /** `training_execution` of the result: the requested values here, the effective ones below. */
  submitted: z.record(z.string(), z.unknown()),
  effective: z.nullable(z.record(z.string(), z.unknown())),
  /** The fields that were left out: what was chosen for each, and why. */
  controls: Choices,
  convergence_profile: ConvergenceProfile,
  device: z.nullable(z.string()),
  gpu: z.nullable(
    z.object({
      index: z.int(),
      estimated_bytes: z.nullable(z.int()),
      free_bytes: z.nullable(z.int()),
    }),
  ),
  progress: JobProgress,
  metrics: JobMetrics,
  /** The newest ones; `GET /jobs/{id}/checkpoints` has all. */
  checkpoints: z.array(CheckpointRecord),
  model: z.nullable(z.object({ model_id: z.string(), version: z.string(), digest: Digest })),
  /** Of the result; null before there is one, and where its trainer reported none. */
  verdict: z.nullable(JobVerdict),
  error: z.nullable(JobError),
  seed: z.int(),
  /** How often it was started, from 1; 0 before the first time. */
  attempt: z.int(),
  attempts: z.array(Attempt),
  priority: z.int(),
  replicas: z.int(),
  distributed: z.nullable(Distributed),
  rounds: z.nullable(RoundsState),
  requirements: Requirements,
  metadata: z.record(z.string(), z.string()),
  created_by: z.string(),
  ...ownedMembers,
  created_at: Timestamp,
  started_at: z.nullable(Timestamp),
  finished_at: z.nullable(Timestamp),
  updated_at: Timestamp,
});
export type JobRecord = z.infer<typeof JobRecord>;

export const JobQuery = z.strictObject({
  status: z.optional(z.array(JobStatus).check(z.maxLength(JobStatus.options.length))),
  kind: z.optional(z.enum(['train', 'lm'])),
  /** Of all that the caller may see, those of one team. */
  team: z.optional(Team),
  category: z.optional(Category),
  model_type: z.optional(z.string().check(z.maxLength(64))),
  model_name: z.optional(z.string().check(z.maxLength(128))),
  trainer_id: z.optional(z.string().check(z.maxLength(64))),
  created_after: z.optional(TimestampInput),
  created_before: z.optional(TimestampInput),
  order: z.prefault(z.enum(['asc', 'desc']), 'desc'),
  limit: z.prefault(PageSize, '20'),
  cursor: z.optional(Cursor),
});
export type JobQuery = z.output<typeof JobQuery>;

export const JobList = z.object({ jobs: z.array(JobRecord), total: z.int(), ...pageMembers });
export type JobList = z.infer<typeof JobList>;
