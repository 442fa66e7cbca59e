import type { Range } from '../statement.ts';
import type { Clauses } from './clauses.ts';
import type { CueMatch } from './cues.ts';

/** What a rule of English is given: a sentence and one cue of it. */
export interface Context extends Clauses {
  readonly match: CueMatch;
  /** The effects read from the cues before, which "which" may take up. */
  readonly effects: readonly Range[];
  readonly hasPrevious: boolean;
}
