import type { CausalLanguage, CausalPattern, CausalRelation } from '../memory/contract/causal.ts';

/** A stretch of the text: offsets in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A cause and its effect as a text states them. */
export interface CausalFinding {
  /** Word for word from the text, as are `effect`, `cue` and `evidence`. */
  readonly cause: string;
  readonly effect: string;
  readonly relation: CausalRelation;
  readonly confidence: number;
  /** The sentence, or for a cue across sentences the stretch from the first to the second. */
  readonly evidence: string;
  readonly language: CausalLanguage;
  readonly pattern: CausalPattern;
  readonly cue: string;
}

/** How much a cue alone is worth. */
export type Strength = 'strong' | 'medium' | 'ambiguous';

/** What a rule found in a sentence. */
export interface Draft {
  readonly cause: Span;
  readonly effect: Span;
  readonly relation: CausalRelation;
  readonly pattern: CausalPattern;
  readonly cue: Span;
  readonly strength: Strength;
  readonly hedged: boolean;
}

const PRIORS: Record<Strength, number> = { strong: 0.9, medium: 0.7, ambiguous: 0.5 };
const PATTERNS: Record<CausalPattern, number> = { A: 1, B: 0.85, C: 0.85, D: 0.85, E: 1 };
const HEDGED = 0.6;

/** Cue, pattern and modality, each of which may take confidence away. */
export function confidenceOf({
  strength,
  pattern,
  hedged,
}: Pick<Draft, 'strength' | 'pattern' | 'hedged'>): number {
  const product = PRIORS[strength] * PATTERNS[pattern] * (hedged ? HEDGED : 1);
  return Math.round(product * 1e6) / 1e6;
}

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
