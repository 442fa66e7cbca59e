import { ruleKernels, type RewardMode } from '../kernels/rules.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { expectPositive, expectShares } from './layer-shapes.ts';
import { expectShape } from './shapes.ts';

/**
 * Running means over about 20 steps, a first step of 1 % that is halved after 1000, and a supply that no reward
 * takes below a quarter.
 */
export const defaultReward = {
  lossDecay: 0.95,
  baselineDecay: 0.95,
  step: 0.01,
  horizon: 1000,
  minSupply: 0.25,
} as const;

export interface RewardSignalOptions extends Partial<Record<keyof typeof defaultReward, number>> {
  /**
   * `ema_delta`: by how much the running mean of the loss fell; `raw`: minus the loss. `ema_delta` and
   * `clipped_raw` are clipped.
   */
  readonly mode: RewardMode;
  /** Largest reward in either direction, `reward_clip_value`; the unit of the supply in every mode. */
  readonly clip: number;
}

interface RewardInputs {
  /** Mean losses in nats by slot, `f32[slots]`, where the clock says which is this step's. */
  readonly history: Tensor;
  readonly clock: Tensor;
  /** Running means of loss and reward, and whether there are any, `f32[3]`. It lasts; zeros begin anew. */
  readonly state: Tensor;
}

/** Reward of one training step, each `f32[1]`. */
interface RewardSignal {
  readonly reward: Tensor;
  /** Share of its distance to 1 that each beta goes: positive where the reward is above its own running mean. */
  readonly move: Tensor;
  /** Factor of the energy supply: 1 for a reward at its running mean, from `minSupply` to 2. */
  readonly supply: Tensor;
}

/** Turns the loss of a step into a reward and what follows from it; `name` begins the names of what is kept. */
export function rewardSignal(
  graph: Graph,
  name: string,
  { history, clock, state }: RewardInputs,
  { mode, clip, ...given }: RewardSignalOptions,
): RewardSignal {
  const { lossDecay, baselineDecay, step, horizon, minSupply } = { ...defaultReward, ...given };
  const slots = wordCount(history);
  expectShape('rewardSignal history', history, [slots]);
  expectShape('rewardSignal clock', clock, [4], 'u32');
  expectShape('rewardSignal state', state, [3]);
  expectShares('rewardSignal', { lossDecay, baselineDecay, step, minSupply });
  expectPositive('rewardSignal', { clip, horizon });
  const signal = {
    reward: graph.local(`${name}.reward`, 'f32', [1]),
    move: graph.local(`${name}.move`, 'f32', [1]),
    supply: graph.local(`${name}.supply`, 'f32', [1]),
  };
  graph.call(
    ruleKernels.reward_signal,
    { history, clock, state, ...signal },
    { mode, slots, lossDecay, baselineDecay, clip, step, horizon, minSupply },
  );
  return signal;
}

interface DecayRange {
  /** Least and largest beta that the reward leads to. */
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Moves each beta toward 1 after a good step and away from it after a bad one, as `rewardSignal` says:
 * `1 - beta` is multiplied by `1 - move`. `beta` is a persistent tensor that `variedLif` reads.
 */
export function adaptDecay(
  graph: Graph,
  beta: Tensor,
  { move }: Pick<RewardSignal, 'move'>,
  { lowest, highest }: DecayRange,
): void {
  const count = wordCount(beta);
  expectShape('adaptDecay beta', beta, beta.shape);
  expectShape('adaptDecay move', move, [1]);
  if (!(lowest >= 0 && lowest <= highest && highest < 1)) {
    throw new EngineError(
      'invalid-setting',
      `adaptDecay: beta from ${lowest} to ${highest}: expected 0 <= lowest <= highest < 1`,
    );
  }
  graph.call(ruleKernels.reward_decay, { move, beta }, { count, lowest, highest });
}
