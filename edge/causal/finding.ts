import type { CausalLanguage, CausalPattern, CausalRelation } from '../memory/contract/causal.ts';

/** A span of the text: offsets in UTF-16 units, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A cause and its effect as stated in a text. */
export interface CausalFinding {
  /** Literal, as are `effect`, `cue` and `evidence`. */
  readonly cause: string;
  readonly effect: string;
  readonly relation: CausalRelation;
  readonly confidence: number;
  /** The sentence, or for a cue across sentences the span from the first to the second. */
  readonly evidence: string;
  readonly language: CausalLanguage;
  readonly pattern: CausalPattern;
  readonly cue: string;
}

/** The reliability of a cue by itself. */
type Strength = 'strong' | 'medium' | 'ambiguous';

/** The meaning of a cue and how it joins cause and effect; `kind` depends on the language. */
export interface CueAttributes<Kind extends string> {
  readonly kind: Kind;
  readonly relation: CausalRelation;
  readonly strength: Strength;
}

/** The cues of a language, by attributes; separated by commas. */
export type CueTable<Kind extends string> = Readonly<
  Record<Kind, Partial<Record<CausalRelation, Partial<Record<Strength, string>>>>>
>;

/** The cues of a table; `parse` reads a single phrase. */
export function cuesOf<Kind extends string, T>(
  table: CueTable<Kind>,
  parse: (phrase: string) => T,
): (CueAttributes<Kind> & T)[] {
  return entriesOf(table).flatMap(([kind, relations]) =>
    entriesOf(relations).flatMap(([relation, strengths = {}]) =>
      entriesOf(strengths).flatMap(([strength, phrases = '']) =>
        phrases.split(',').map((phrase) => ({ kind, relation, strength, ...parse(phrase.trim()) })),
      ),
    ),
  );
}

const entriesOf = <K extends string, V>(record: Readonly<Partial<Record<K, V>>>) =>
  Object.entries(record) as [K, V][];

/** The result of a rule for a sentence. */
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

/** The product of the factors of cue, pattern and modality. */
export function confidenceOf({
  strength,
  pattern,
  hedged,
}: Pick<Draft, 'strength' | 'pattern' | 'hedged'>): number {
  const product = PRIORS[strength] * PATTERNS[pattern] * (hedged ? HEDGED : 1);
  return Math.round(product * 1e6) / 1e6;
}

/** A range of a sentence, `to` exclusive: of tokens in English, of characters in Japanese. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const isEmpty = ({ from, to }: Range) => to <= from;

/** The maximum number of conjuncts of one cause or effect, against adversarial texts. */
export const MAX_CONJUNCTS = 6;

/**
 * The result of a rule for a cue. `previous` is the preceding sentence; attributes left out are the
 * cue's own.
 */
export interface Statement {
  readonly cause: Range | 'previous';
  readonly effect: Range | 'previous';
  readonly pattern: CausalPattern;
  readonly relation?: CausalRelation;
  readonly strength?: Strength;
  readonly hedged?: boolean;
}

/** The drafts of a statement: one for each pair of a cause and an effect. */
export function draftsOf(
  statement: Statement,
  cue: Pick<Draft, 'relation' | 'strength' | 'cue' | 'hedged'>,
  spansOf: (part: Range | 'previous') => readonly Span[],
): Draft[] {
  const { relation, strength, hedged } = { ...cue, ...statement };
  const common = { relation, strength, hedged, cue: cue.cue, pattern: statement.pattern };
  const effects = spansOf(statement.effect);
  return spansOf(statement.cause).flatMap((cause) =>
    effects.map((effect) => ({ ...common, cause, effect })),
  );
}
