import type { ModelType } from '../contract/training/family-schemas.ts';
import type { JobRecord } from '../contract/training/job.ts';
import type { JobConfig } from '../contract/training/train-request.ts';
import type { JobPlan } from '../objects/training-state.ts';
import type { PlacementNeed } from './placement.ts';

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
  /** The parsed body, as trainers are given it. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly plan: JobPlan;
  /** Null where the budget is one of minutes or of epochs. */
  readonly totalSteps: number | null;
  readonly need: PlacementNeed;
}
