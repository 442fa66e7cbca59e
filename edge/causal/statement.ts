import type { CausalPattern, CausalRelation } from '../memory/contract/causal.ts';
import type { Strength } from './finding.ts';

/** A stretch of a sentence, `to` exclusive: of tokens in English, of characters in Japanese. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const isEmpty = ({ from, to }: Range) => to <= from;

/** What a rule makes of a cue. `previous` is the sentence before; what is not said is the cue's own. */
export interface Statement {
  readonly cause: Range | 'previous';
  readonly effect: Range | 'previous';
  readonly pattern: CausalPattern;
  readonly relation?: CausalRelation;
  readonly strength?: Strength;
  readonly hedged?: boolean;
}
