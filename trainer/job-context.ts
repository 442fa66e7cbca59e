import type { JobProgress } from '../edge/training/contract/job.ts';
import type { Lease } from '../edge/training/contract/trainer.ts';
import type {
  CheckpointFiles,
  TrainingControls,
  TrainingRun,
  Validation,
} from '../engine/index.ts';
import type { JobEnvironment } from './environment.ts';
import type { EarlyEnd, FromJob, Services } from './job-messages.ts';
import type { JobPlan } from './job-plan.ts';
import type { StartingPoint } from './starting-point.ts';
import type { TrainingClient } from './training-client.ts';

/** Shared context of a job, from its lease to its end. */
export interface JobContext {
  readonly lease: Lease;
  readonly plan: JobPlan;
  /** The model that it continues. */
  readonly base: StartingPoint | undefined;
  readonly services: Services;
  readonly environment: JobEnvironment;
  readonly client: TrainingClient;
  /** Aborts once the job is to end early, to cancel preparations and waits. */
  readonly early: AbortSignal;
  readonly requestedEnd: () => EarlyEnd | undefined;
  readonly post: (message: FromJob) => void;
}

/** A run that is ready to be trained. */
export interface Session {
  readonly run: TrainingRun;
  readonly controls: TrainingControls;
  /** The checkpoint that it resumes. */
  readonly resumed: CheckpointFiles | undefined;
  readonly parent: StartingPoint['parent'];
  readonly datasetDigest: string | undefined;
}

/** How training ended: with the files of its result, or before. */
export type Trained =
  | {
      readonly outcome: 'finished';
      readonly files: CheckpointFiles;
      readonly progress: JobProgress;
      /** The latest validation. */
      readonly validation: Validation | undefined;
    }
  | { readonly outcome: EarlyEnd };
