import type { RewardMode } from '../../kernels/neurons.ts';
import type { AgreedRange, KeptSpec } from '../../families/stored-family.ts';
import type { ChronospikeStructure } from './structure.ts';

export const REWARD_MODES = ['off', 'ema_delta', 'raw', 'clipped_raw'] as const;

/** What steers neurons while they learn, beside the gradient. */
export interface NeuronRules {
  /** How the loss becomes the reward that moves LIF's beta and the supply of energy. */
  readonly rewardMode: RewardMode | 'off';
  /** Largest reward in either direction. */
  readonly rewardClipValue: number;
  /** Whether spikes have to be paid for. */
  readonly energyGating: boolean;
  /** Share of the budget over which LIF's spikes go from a sigmoid to hard ones; 0: hard from the start. */
  readonly relaxation: number;
}

/** Neurons that learn by the gradient alone. */
export const plainRules = {
  rewardMode: 'off',
  rewardClipValue: 0.5,
  energyGating: false,
  relaxation: 0,
} as const satisfies NeuronRules;

/** The rules as far as these neurons know them: only LIF has a beta that rewards move, and relaxes. */
export function rulesFor(
  { neuron }: Pick<ChronospikeStructure, 'neuron'>,
  rules: NeuronRules,
): NeuronRules {
  return neuron === 'LIF' ? rules : { ...rules, relaxation: 0 };
}

/** Where rewards lead beta; outside, a neuron forgets at once or never. */
export const BETA_RANGE = { lowest: 0.5, highest: 0.99 } as const satisfies AgreedRange;

/** What the rules keep from step to step. */
export function ruleParts(
  { neuron }: Pick<ChronospikeStructure, 'neuron'>,
  { rewardMode, energyGating }: Pick<NeuronRules, 'rewardMode' | 'energyGating'>,
): (KeptSpec & { readonly name: RulePart })[] {
  const isRewarded = rewardMode !== 'off';
  const used: Record<RulePart, boolean> = {
    'reward.beta': isRewarded && neuron === 'LIF',
    'reward.supply': isRewarded || energyGating,
    'reward.state': isRewarded,
  };
  // Object.keys loses the type of the keys.
  const names = Object.keys(RULE_PARTS) as RulePart[];
  return names
    .filter((name) => used[name])
    .map((name) => ({
      name,
      dtype: 'F32',
      shape: [RULE_PARTS[name]],
      ...(name === 'reward.beta' && { agreed: BETA_RANGE }),
    }));
}

/** Numbers of each: LIF's beta; the factor of the supply; running means of loss and reward, and whether there are any. */
const RULE_PARTS = { 'reward.beta': 1, 'reward.supply': 1, 'reward.state': 3 } as const;
export type RulePart = keyof typeof RULE_PARTS;
