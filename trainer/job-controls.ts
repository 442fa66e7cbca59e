import { controlsFor, controlsNamed, type TrainingControls } from '../engine/index.ts';
import type { JobPlan } from './job-plan.ts';

/**
 * The controls of a job: what the request gives wins over the variables of this trainer, and those
 * over the profile. @throws EngineError `invalid-setting` naming the variable that is not good
 */
export function controlsOfPlan(
  { profile, controls }: Pick<JobPlan, 'profile' | 'controls'>,
  variables: Readonly<Record<string, string | undefined>>,
): TrainingControls {
  return controlsFor(profile, controlsNamed(controls), variables);
}
