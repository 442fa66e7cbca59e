import type { CausalPattern, CausalRelation } from '../../contract/memory/causal.ts';
import type { Strength } from '../finding.ts';
import type { Range } from './clauses.ts';
import type { CueMatch } from './cues.ts';

/** What a rule of Japanese is given: a sentence and one cue of it. */
export interface Context {
  readonly sentence: string;
  readonly match: CueMatch;
  /** Where the cue before ends and the next one begins. */
  readonly least: number;
  readonly nextCue: number;
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
