import type { JobProgress } from '../edge/training/contract/job.ts';
import type { Lease } from '../edge/training/contract/trainer.ts';
import type { FromJob } from './job-messages.ts';

/** The observable state of a trainer. */
export type TrainerState =
  /** The service does not respond; connecting is retried without limit. */
  | { readonly status: 'connecting'; readonly reason: string | undefined }
  | { readonly status: 'idle' }
  | { readonly status: 'training'; readonly job: JobState }
  | { readonly status: 'stopped' };

export interface JobState {
  readonly jobId: string;
  readonly modelName: string;
  readonly attempt: number;
  readonly seat: number;
  /** `ending` while its end is reported. */
  readonly phase: 'validating' | 'running' | 'ending';
  readonly progress: JobProgress;
  /** The latest, in nats per token. */
  readonly loss: number | null;
  readonly message: string | undefined;
}

export function beginningState({ job, attempt, seat }: Lease): JobState {
  return {
    jobId: job.job_id,
    modelName: job.model_name,
    attempt,
    seat,
    phase: 'validating',
    progress: job.progress,
    loss: job.metrics.train_loss,
    message: undefined,
  };
}

export function advancedState(
  state: JobState,
  message: Exclude<FromJob, { type: 'ended' }>,
): JobState {
  switch (message.type) {
    case 'running':
      return { ...state, phase: 'running', progress: message.progress };
    case 'advanced': {
      const loss = message.points.findLast(({ train_loss }) => train_loss !== null)?.train_loss;
      return { ...state, progress: message.progress, loss: loss ?? state.loss };
    }
    case 'said':
      return { ...state, message: message.line.message };
  }
}
