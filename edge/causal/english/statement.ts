import type { CausalPattern, CausalRelation } from '../../contract/memory/causal.ts';
import type { Strength } from '../finding.ts';
import type { Clauses } from './clauses.ts';
import type { CueMatch } from './cues.ts';
import type { Range } from './tokens.ts';

/** What a rule of English is given: a sentence and one cue of it. */
export interface Context extends Clauses {
  readonly match: CueMatch;
  /** The effects read from the cues before, which "which" may take up. */
  readonly effects: readonly Range[];
  readonly hasPrevious: boolean;
}

/** What it makes of them. `previous` is the sentence before. */
export interface Statement {
  readonly cause: Range | 'previous';
  readonly effect: Range | 'previous';
  readonly pattern: CausalPattern;
  readonly relation?: CausalRelation;
  readonly strength?: Strength;
  readonly hedged?: boolean;
}
