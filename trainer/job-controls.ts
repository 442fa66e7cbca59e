import {
  controlsFor,
  controlsNamed,
  profileControls,
  type TrainingControls,
} from '../engine/index.ts';
import type { JobPlan } from './job-plan.ts';

/**
 * The controls of a job: what the request gives wins over the variables of this trainer, and those
 * over the profile. @throws EngineError `invalid-setting` naming the variable that is not good
 */
export function controlsOfPlan(
  { profile, settings, controls }: Pick<JobPlan, 'profile' | 'settings' | 'controls'>,
  variables: Readonly<Record<string, string | undefined>>,
): TrainingControls {
  return controlsFor(profileControls(profile, settings), controlsNamed(controls), variables);
}
