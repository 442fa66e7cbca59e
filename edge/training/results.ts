import type { CheckpointRecord } from './contract/checkpoint.ts';
import type { JobRecord } from './contract/job.ts';
import type { JobEvent, MetricPoint } from './contract/job-event.ts';
import type { Round, RoundClosed } from './contract/round.ts';
import type { Used } from '../http/ownership.ts';
import type { HeartbeatAnswer, Lease } from './contract/trainer.ts';
import type { Refusal } from './state.ts';

/** The caller is not the owner of the trainer. */
export interface Denied {
  readonly kind: 'denied';
  readonly owner: string;
}

type Refused =
  | { readonly kind: 'no-job' }
  | Denied
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export type SubmitResult =
  | { readonly kind: 'done'; readonly job: JobRecord }
  | { readonly kind: 'full' }
  | { readonly kind: 'over'; readonly used: Used };

export type JobResult = Refused | { readonly kind: 'done'; readonly job: JobRecord };

export type LeaseResult =
  | { readonly kind: 'no-trainer' }
  | Denied
  | { readonly kind: 'done'; readonly lease: Lease | null };

export type HeartbeatResult = Refused | { readonly kind: 'done'; readonly answer: HeartbeatAnswer };

export type CommitResult =
  | Refused
  | { readonly kind: 'created' | 'same'; readonly checkpoint: CheckpointRecord };

export type ContributeResult =
  | Refused
  | { readonly kind: 'created' | 'same'; readonly round: Round };

export type RoundsResult =
  | { readonly kind: 'no-job' }
  | { readonly kind: 'no-rounds' }
  | { readonly kind: 'done'; readonly rounds: readonly RoundClosed[]; readonly current: Round };

export interface JobListPage {
  readonly jobs: readonly JobRecord[];
  readonly total: number;
  readonly next: number | undefined;
}

/** The position of a watcher in the events and metrics of a job. */
export interface WatchPosition {
  readonly seq: number;
  /** Null at first: metrics are watched from now on. */
  readonly mark: number | null;
}

export interface JobUpdates {
  readonly events: readonly JobEvent[];
  readonly points: readonly MetricPoint[];
  readonly position: WatchPosition;
  /** Nothing will follow. */
  readonly isOver: boolean;
}
