import { type NeuronRules } from '../../settings/controls.ts';
import type { AgreedRange, BufferSpec } from '../../checkpoint/parameters-file.ts';
import { type ChronospikeStructure, isLif } from './structure.ts';

type Neurons = Pick<ChronospikeStructure, 'neuron' | 'equations'>;

/** The rules as far as these neurons know them: only LIF has a beta that rewards move, and relaxes. */
export function rulesFor(neurons: Neurons, rules: NeuronRules): NeuronRules {
  return isLif(neurons) ? rules : { ...rules, relaxation: 0 };
}

/** Where rewards lead beta; outside, a neuron forgets at once or never. */
export const BETA_RANGE = { lowest: 0.5, highest: 0.99 } as const satisfies AgreedRange;

/** State of the rules from step to step. */
export function ruleParts(
  neurons: Neurons,
  { rewardMode, energyGating }: Pick<NeuronRules, 'rewardMode' | 'energyGating'>,
): (BufferSpec & { readonly name: RulePart })[] {
  const isRewarded = rewardMode !== 'off';
  const used: Record<RulePart, boolean> = {
    'reward.beta': isRewarded && isLif(neurons),
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
