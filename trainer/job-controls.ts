import { controlsFor, profileControls, type TrainingControls } from '../engine/index.ts';
import type { JobPlan } from './job-plan.ts';

/**
 * The controls of a job: what the request gives wins over the variables of this trainer, and those
 * over the profile. @throws EngineError `invalid-setting` naming the variable that is not good
 */
export function controlsOfPlan(
  { profile, settings, controls }: Pick<JobPlan, 'profile' | 'settings' | 'controls'>,
  variables: Readonly<Record<string, string | undefined>>,
): TrainingControls {
  const given: { readonly [K in keyof TrainingControls]: TrainingControls[K] | undefined } = {
    warmup: controls.warmup,
    decayStart: controls.decay_start,
    finalRate: controls.final_rate,
    gradClipNorm: controls.grad_clip_norm,
    weightDecay: controls.weight_decay,
    beta1: controls.beta1,
    beta2: controls.beta2,
    epsilon: controls.epsilon,
    rewardMode: controls.reward_mode,
    rewardClipValue: controls.reward_clip_value,
    energyGating: controls.energy_gating,
    relaxation: controls.relaxation,
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return controlsFor(profileControls(profile, settings), Object.fromEntries(present), variables);
}
