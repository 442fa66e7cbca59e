import * as z from 'zod/mini';
import { ownedMembers } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';
import { CheckpointRecord, PartedFile } from './checkpoint.ts';
import { JobError, JobProgress, JobRecord, JobVerdict } from './job.ts';
import { JobEvent, MetricPoint } from './job-event.ts';
import { Round, RoundClosed } from './round.ts';
import { Category, ModelType } from './train-request.ts';

/** The interval of a trainer's heartbeats, and how long its lease lasts without one. */
export const HEARTBEAT_S = 2;
export const LEASE_S = 10;
/** The deadline of a lease's first heartbeat: until then the trainer may not have received it. */
export const CONFIRM_S = 5;
/** How long a job that is being cancelled may take to write a checkpoint. */
export const CANCEL_S = 30;

const label = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest));

export const TrainerDevice = z.object({
  kind: z.enum(['gpu', 'cpu']),
  /** Such as `WASM SIMD, 2 threads`. */
  label: label(128),
  /** The first GPU named by the visible-devices variables. */
  gpu_index: z.nullable(z.int()),
  total_bytes: z.nullable(z.int()),
  free_bytes: z.nullable(z.int()),
});
export type TrainerDevice = z.infer<typeof TrainerDevice>;

/** The announcement of a trainer, sent on start and whenever it changes. */
export const TrainerAnnouncement = z.strictObject({
  /** Its previous id; a new one is assigned where it is left out. */
  trainer_id: z.optional(
    z.string().check(z.regex(/^trn_[0-9A-Z]{26}$/, 'expected trn_ and a ULID')),
  ),
  name: label(128),
  kind: z.enum(['node', 'tab']),
  version: label(32),
  device: TrainerDevice,
  categories: z.array(Category).check(z.minLength(1), z.maxLength(4)),
  model_types: z.array(ModelType).check(z.minLength(1), z.maxLength(16)),
  /** Files below its data root, as `dataset_path` may name them. */
  datasets: z.array(label(512)).check(z.maxLength(1000)),
  region_id: z.nullable(label(63)),
  /** Jobs it takes at a time. */
  slots: z.int().check(z.gte(1), z.lte(16)),
  /** Load average per core, 0 where it is unknown. */
  load: z.number().check(z.gte(0)),
});
export type TrainerAnnouncement = z.output<typeof TrainerAnnouncement>;

export const TrainerRecord = z.object({
  ...TrainerAnnouncement.shape,
  trainer_id: z.string(),
  status: z.enum(['idle', 'busy', 'draining', 'lost']),
  /** Those that the caller may see. */
  jobs: z.array(z.string()),
  succeeded: z.int(),
  failed: z.int(),
  created_by: z.string(),
  ...ownedMembers,
  /** Whether it takes jobs of all teams, as a trainer of an administrator does, or only of its own. */
  all_teams: z.boolean(),
  registered_at: Timestamp,
  last_seen_at: Timestamp,
});
export type TrainerRecord = z.infer<typeof TrainerRecord>;

export const TrainerList = z.object({ trainers: z.array(TrainerRecord), total: z.int() });
export type TrainerList = z.infer<typeof TrainerList>;

/** The proof of a lease in every request about it; a token older than the job's last is refused. */
export const LeaseProof = z.object({
  lease_id: z.string().check(z.maxLength(64)),
  /** Grows with every lease of a job. */
  fencing_token: z.int().check(z.gte(1)),
});
export type LeaseProof = z.infer<typeof LeaseProof>;

/** A job, or a seat of it, to be trained now. */
export const Lease = z.object({
  ...LeaseProof.shape,
  job: JobRecord,
  /** The parsed body of the request that made it. */
  request: z.record(z.string(), z.unknown()),
  attempt: z.int(),
  seat: z.int(),
  /** Go on from here; from the start where it is null. */
  checkpoint: z.nullable(CheckpointRecord),
  expires_at: Timestamp,
});
export type Lease = z.infer<typeof Lease>;

export const LeaseRequest = z.strictObject({
  trainer_id: label(64),
  /** How long the request may wait for a job. */
  wait_s: z.prefault(z.int().check(z.gte(0), z.lte(25)), 20),
});
export type LeaseRequest = z.output<typeof LeaseRequest>;

export const Heartbeat = z.strictObject({
  ...LeaseProof.shape,
  /** `validating` until the dataset and the tokenizer are found good. */
  phase: z.enum(['validating', 'running']),
  progress: JobProgress,
  points: z.array(MetricPoint).check(z.maxLength(500)),
  messages: z
    .array(z.object({ level: JobEvent.shape.level, message: label(2000) }))
    .check(z.maxLength(50)),
  device: z.optional(TrainerDevice),
  load: z.optional(z.number().check(z.gte(0))),
  /** Once, with the first beat of `running`. */
  effective: z.optional(z.record(z.string(), z.unknown())),
});
export type Heartbeat = z.output<typeof Heartbeat>;

export const HeartbeatAnswer = z.object({
  expires_at: Timestamp,
  /** `checkpoint`: write one and end. `stop`: end at once. */
  cancel: z.nullable(z.enum(['checkpoint', 'stop'])),
  cancel_by: z.nullable(Timestamp),
  round: z.nullable(Round),
});
export type HeartbeatAnswer = z.infer<typeof HeartbeatAnswer>;

export const CheckpointCommit = z.strictObject({
  ...LeaseProof.shape,
  step: z.int().check(z.gte(0)),
  epoch: z.number().check(z.gte(0)),
  metrics: z.record(z.string().check(z.maxLength(64)), z.number()),
  digest: CheckpointRecord.shape.digest,
  structure_digest: CheckpointRecord.shape.structure_digest,
  vocabulary_digest: CheckpointRecord.shape.vocabulary_digest,
  tokenizer_digest: CheckpointRecord.shape.tokenizer_digest,
  resumable: z.boolean(),
  files: z.array(PartedFile).check(z.minLength(1), z.maxLength(32)),
});
export type CheckpointCommit = z.output<typeof CheckpointCommit>;

/** How a lease ends. */
export const LeaseEnd = z.discriminatedUnion('outcome', [
  z.strictObject({
    ...LeaseProof.shape,
    outcome: z.literal('completed'),
    progress: JobProgress,
    model: JobRecord.shape.model,
    verdict: z.optional(JobVerdict),
  }),
  z.strictObject({ ...LeaseProof.shape, outcome: z.literal('failed'), error: JobError }),
  z.strictObject({ ...LeaseProof.shape, outcome: z.literal('cancelled') }),
  /** The trainer shuts down gracefully: the job waits for another, and this does not count as a failure. */
  z.strictObject({
    ...LeaseProof.shape,
    outcome: z.literal('released'),
    reason: z.string().check(z.maxLength(200)),
  }),
]);
export type LeaseEnd = z.output<typeof LeaseEnd>;

export { Round, RoundClosed };
