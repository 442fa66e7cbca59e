import type {
  JobError,
  JobProgress,
  JobRecord,
  JobVerdict,
} from '../edge/training/contract/job.ts';
import type { MetricPoint } from '../edge/training/contract/job-event.ts';
import type { Heartbeat, Lease } from '../edge/training/contract/trainer.ts';

/** Where a service of the platform is, in a form that can be sent to another process. */
export interface ServiceAddress {
  readonly base: string;
  readonly headers: Record<string, string>;
}

/** The services a trainer talks to. */
export interface Services {
  readonly gateway: ServiceAddress;
  readonly training: ServiceAddress;
  readonly registry: ServiceAddress;
}

/** Kinds of early end; both store a checkpoint. */
export type EarlyEnd = 'cancelled' | 'released';

/** Messages to a job. It ends by itself when its budget is spent. */
export type ToJob =
  | { readonly type: 'start'; readonly lease: Lease; readonly services: Services }
  | { readonly type: 'end'; readonly how: EarlyEnd };

export type LogLine = Heartbeat['messages'][number];

/** The end of a job, as of a lease. `lost`: the lease has passed to another trainer. */
export type JobEnd =
  | {
      readonly outcome: 'completed';
      readonly progress: JobProgress;
      readonly model: JobRecord['model'];
      readonly verdict?: JobVerdict;
    }
  | { readonly outcome: 'failed'; readonly error: JobError }
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'released'; readonly reason: string }
  | { readonly outcome: 'lost' };

/** Messages from a job. `ended` is the last one. */
export type FromJob =
  | {
      readonly type: 'running';
      readonly progress: JobProgress;
      readonly effective: Record<string, unknown>;
    }
  | {
      readonly type: 'advanced';
      readonly progress: JobProgress;
      readonly points: readonly MetricPoint[];
    }
  | { readonly type: 'said'; readonly line: LogLine }
  | { readonly type: 'ended'; readonly end: JobEnd };
