import { pairRule } from '../../engine/index.ts';
import type { Knob } from './knobs.ts';

export const RULE_NAMES = ['stdp', 'stdp_triplet'] as const;
type RuleName = (typeof RULE_NAMES)[number];

/** How often pairs come, Hz, and how many: of the triplet rule, which tells frequencies apart. */
export const FREQUENCY = 'frequency';
export const TRIPLET_PAIRINGS = 10;

const knob = (
  name: string,
  [symbol, unit]: readonly [symbol: string, unit: string],
  initial: number,
  range: readonly [number, number],
): Knob => ({ name, symbol, unit, initial, range, minimum: range[0], maximum: range[1] });

/** The numbers of a rule that its window is about. */
export const RULE_KNOBS: Readonly<Record<RuleName, readonly Knob[]>> = {
  stdp: [
    knob('amplitudePlus', ['A+', ''], pairRule.amplitudePlus, [0, 0.05]),
    knob('amplitudeMinus', ['A−', ''], pairRule.amplitudeMinus, [0, 0.05]),
    knob('tauPlus', ['τ+', 'ms'], pairRule.tauPlus, [1, 100]),
    knob('tauMinus', ['τ−', 'ms'], pairRule.tauMinus, [1, 100]),
  ],
  stdp_triplet: [knob(FREQUENCY, ['ρ', 'Hz'], 20, [1, 50])],
};
