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
