import type { ModelType } from './contract/family-schemas.ts';
import type { JobError, JobMetrics, JobProgress, JobRecord, JobStatus } from './contract/job.ts';
import type { Distributed, JobConfig } from './contract/train-request.ts';
import type { PlacementNeed } from './placement.ts';
import type { JobEvent } from './contract/job-event.ts';
import type { Contribution, RoundClosed } from './contract/round.ts';
import type { LeaseEnd, LeaseProof } from './contract/trainer.ts';

/** A request that passed all checks: what of a job never changes. */
export interface NewJob extends Pick<
  JobRecord,
  | 'kind'
  | 'category'
  | 'model_name'
  | 'base_model'
  | 'dataset_path'
  | 'output_dir'
  | 'learning_rate'
  | 'submitted'
  | 'controls'
  | 'convergence_profile'
  | 'seed'
  | 'priority'
  | 'requirements'
  | 'metadata'
  | 'created_by'
  | 'team'
> {
  readonly model_type: ModelType;
  readonly config: JobConfig;
  /** The parsed body, as it is sent to trainers. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly plan: JobPlan;
  /** Null where the budget is one of minutes or of epochs. */
  readonly totalSteps: number | null;
  readonly need: PlacementNeed;
}

/** The execution plan of a submitted job; it never changes. */
export interface JobPlan {
  readonly replicas: number;
  readonly maxRecoveries: number;
  /** Null where the job has one seat. */
  readonly distributed: Distributed | null;
}

/** The trainer that holds a seat of a job. Times are epoch milliseconds. */
export interface SeatLease {
  readonly leaseId: string;
  /** Grows with every lease of the job; it numbers the attempts, too. */
  readonly token: number;
  readonly trainerId: string;
  readonly trainerName: string;
  readonly fromStep: number;
  readonly lastStep: number;
  readonly startedAt: number;
  readonly heartbeatAt: number;
  readonly expiresAt: number;
  /** Whether its trainer ever confirmed it: the response that grants a lease may be lost. */
  readonly isHeard: boolean;
}

/** A seat waits for a trainer, has one, or needs none any more. */
export type Seat =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'live'; readonly lease: SeatLease }
  | { readonly kind: 'done' };

interface CheckpointRef {
  readonly id: string;
  readonly step: number;
  /** The last round it holds; 0 where the job has one seat. */
  readonly round: number;
}

export interface SentDelta {
  readonly contribution: Contribution;
  readonly baseDigest: string;
  readonly token: number;
}

/** The round under way. */
export interface RoundsRun {
  readonly round: number;
  readonly sent: readonly SentDelta[];
  /** When the first delta of this round came, epoch milliseconds. */
  readonly firstAt: number | null;
  readonly bytesSent: number;
  readonly bytesFloat32: number;
}

/** All about a job that changes. */
export interface JobState {
  readonly plan: JobPlan;
  readonly status: JobStatus;
  readonly reason: string;
  readonly seats: readonly Seat[];
  /** The last fencing token granted. */
  readonly token: number;
  readonly recoveries: number;
  /** Consecutive leases that were never confirmed. */
  readonly unheard: number;
  /** The newest committed checkpoint. */
  readonly checkpoint: CheckpointRef | null;
  /** When a cancellation is forced; null where none is in progress. */
  readonly cancelBy: number | null;
  readonly rounds: RoundsRun | null;
  readonly progress: JobProgress;
  readonly metrics: JobMetrics;
  readonly effective: Readonly<Record<string, unknown>> | null;
  readonly device: DeviceUsed | null;
  readonly model: JobRecord['model'];
  /** Jobs from before 2026-11-23 have none. */
  readonly verdict?: JobRecord['verdict'];
  readonly error: JobError | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly updatedAt: number;
}

/** The device of the trainer that leads. */
export interface DeviceUsed {
  readonly label: string;
  readonly gpuIndex: number | null;
  readonly freeBytes: number | null;
}

export type Command =
  | {
      readonly kind: 'lease';
      readonly leaseId: string;
      readonly trainerId: string;
      readonly trainerName: string;
      readonly device: DeviceUsed;
    }
  | { readonly kind: 'heartbeat'; readonly proof: LeaseProof; readonly report: JobReport }
  | {
      readonly kind: 'commit';
      readonly proof: LeaseProof;
      readonly checkpoint: CheckpointRef;
      readonly epoch: number;
    }
  | { readonly kind: 'end'; readonly end: LeaseEnd }
  | { readonly kind: 'contribute'; readonly proof: LeaseProof; readonly delta: NewDelta }
  | { readonly kind: 'cancel' }
  /** A trainer left gracefully. */
  | { readonly kind: 'leave'; readonly trainerId: string }
  /** The service has just started. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'tick' };

export interface JobReport {
  readonly phase: 'validating' | 'running';
  readonly progress: JobProgress;
  readonly metrics: Partial<JobMetrics>;
  readonly effective: Readonly<Record<string, unknown>> | null;
}

export interface NewDelta {
  readonly round: number;
  readonly baseDigest: string;
  readonly contribution: Omit<Contribution, 'seat' | 'trainer_id'>;
}

export type Outcome = 'completed' | 'failed' | 'cancelled' | 'released' | 'lost';

/** The writes that accompany a new state. */
export type Effect =
  | ({ readonly kind: 'event' } & NewEvent)
  | { readonly kind: 'attempt-begun'; readonly seat: number; readonly lease: SeatLease }
  | { readonly kind: 'attempt-ended'; readonly lease: SeatLease; readonly outcome: Outcome }
  | { readonly kind: 'round-closed'; readonly closed: RoundClosed }
  /** Closed rounds up to this one are needed no more. */
  | { readonly kind: 'rounds-covered'; readonly through: number };

export type NewEvent = Pick<JobEvent, 'level' | 'type' | 'message' | 'data'>;

export interface Refusal {
  readonly code: 'stale_lease' | 'stale_round' | 'job_terminal';
  readonly detail: string;
}

/** Even a refused command may find that time has passed: the state is written in any case. */
export interface Transition {
  readonly state: JobState;
  readonly effects: readonly Effect[];
  readonly refusal: Refusal | null;
}

/** The state of a job at its submission. */
export function newJobState(plan: JobPlan, totalSteps: number | null, now: number): JobState {
  return {
    plan,
    status: 'queued',
    reason: '',
    seats: Array.from({ length: plan.replicas }, () => ({ kind: 'waiting' }) as const),
    token: 0,
    recoveries: 0,
    unheard: 0,
    checkpoint: null,
    cancelBy: null,
    rounds: plan.distributed && { ...NO_ROUND, round: 1 },
    progress: { epoch: 0, step: 0, total_steps: totalSteps, percent: 0, eta_s: null },
    metrics: { train_loss: null, valid_loss: null, tokens_per_s: null, spike_rate: null },
    effective: null,
    device: null,
    model: null,
    error: null,
    startedAt: null,
    finishedAt: null,
    updatedAt: now,
  };
}

const NO_ROUND = { sent: [], firstAt: null, bytesSent: 0, bytesFloat32: 0 } as const;

export interface LiveSeat {
  readonly seat: number;
  readonly lease: SeatLease;
}

/** The seats that a trainer holds, in order; the first one leads. */
export const liveSeats = ({ seats }: Pick<JobState, 'seats'>): readonly LiveSeat[] =>
  seats.flatMap((seat, i) => (seat.kind === 'live' ? [{ seat: i, lease: seat.lease }] : []));

export const waitingSeats = ({ seats }: Pick<JobState, 'seats'>): number =>
  seats.filter(({ kind }) => kind === 'waiting').length;
