import { EngineError } from '../../errors.ts';
import { totalSteps } from '../schedule.ts';
import type { Budget } from '../../settings/run-settings.ts';
import type { PrivacyLevel } from '../../settings/stored-fields.ts';
import { epsilonAfter, noiseFor } from './accountant.ts';

/** The epsilon that a whole run may spend. */
const EPSILONS: Readonly<Record<Exclude<PrivacyLevel, 'none'>, number>> = {
  low: 8,
  medium: 3,
  high: 1,
};

/** Largest norm of the gradient of one example. */
const PRIVATE_CLIP_NORM = 1;
/** Delta is this share of one over the examples, and never above the other. */
const DELTA_SHARE = 0.1;
const MAX_DELTA = 1e-5;

/** How a run keeps its examples private. */
export interface PrivacyPlan {
  readonly level: Exclude<PrivacyLevel, 'none'>;
  /** Probability of each example to be in a step. */
  readonly rate: number;
  readonly delta: number;
  /** Standard deviation of the noise over the clipping norm. */
  readonly noise: number;
  readonly clipNorm: number;
  /** Steps after which the epsilon of the level is spent. */
  readonly steps: number;
}

/** Size of a private run. */
interface PrivateRun {
  readonly examples: number;
  readonly batch: number;
  readonly budget: Budget;
}

/** Steps of an epoch of samples of `batch` examples on average. */
export function privateStepsPerEpoch({ examples, batch }: Omit<PrivateRun, 'budget'>): number {
  return Math.max(1, Math.round(examples / batch));
}

/**
 * The least noise with which a run spends no more than its level allows. Throws EngineError
 * `invalid-setting` for a budget that does not say how many steps there will be.
 */
export function planPrivacy(level: Exclude<PrivacyLevel, 'none'>, run: PrivateRun): PrivacyPlan {
  const { examples, batch, budget } = run;
  const steps = totalSteps(budget, privateStepsPerEpoch(run));
  if (steps === undefined) {
    throw new EngineError(
      'invalid-setting',
      `privacy_level is ${level} with a budget in minutes: expected epochs or steps, which the noise depends on`,
    );
  }
  if (batch > examples) {
    throw new EngineError(
      'invalid-setting',
      `batch_size is ${batch} with ${examples} examples: expected at most as many`,
    );
  }
  const rate = batch / examples;
  const delta = Math.min(MAX_DELTA, DELTA_SHARE / examples);
  const noise = noiseFor({ rate, steps, delta, epsilon: EPSILONS[level] });
  return { level, rate, delta, noise, clipNorm: PRIVATE_CLIP_NORM, steps };
}

/** The privacy budget a run has spent after some steps, as in its config.json. */
export interface PrivacySpent {
  readonly privacy_level: string;
  readonly epsilon: number;
  readonly delta: number;
  readonly noise_multiplier: number;
  readonly clip_norm: number;
  readonly sampling_rate: number;
  readonly steps: number;
}

export function privacySpent(
  { level, rate, delta, noise, clipNorm }: PrivacyPlan,
  steps: number,
): PrivacySpent {
  return {
    privacy_level: level,
    epsilon: epsilonAfter({ noise, rate, steps, delta }),
    delta,
    noise_multiplier: noise,
    clip_norm: clipNorm,
    sampling_rate: rate,
    steps,
  };
}
