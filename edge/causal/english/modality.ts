import type { Range } from '../finding.ts';
import {
  AUXILIARIES,
  HEDGES,
  NEGATORS,
  PARTIAL,
  RAISING,
  type Token,
  wordAt,
  wordSet,
} from './lexicon.ts';
import type { CueMatch } from './cues.ts';

/** Frames that do not assert what follows. */
const DOUBT_BEFORE = new RegExp(
  String.raw`\b(?:no (?:evidence|proof|sign|indication)|doubt(?:s|ed|ful)?|den(?:y|ies|ied)|false that|whether|unclear|not clear` +
    String.raw`|unknown|(?:nobody|no one|not) knows?|(?:must|has to|have to|to|cannot|could not) (?:prove|show)|suppose|supposing|imagine|assum(?:e|ing) that` +
    String.raw`|to find out|contrary to|the (?:claim|myth|idea|belief|rumou?r) that|as if|as though|do not believe|does not believe|don't (?:think|believe)` +
    String.raw`|looking for|in search of|rul(?:e|es|ed) out)\b`,
);
const CONDITION = /(?:^|[\s,;"'“(])(?:if|unless|provided that|in case)\b/;
const OPENS_CONDITION = /^\W*(?:had|were|should|suppose|supposing|imagine|assuming)\b/;
const DOUBT_ANYWHERE =
  /\b(?:refuted|disproved|debunked|is a myth|is false|is untrue|not been (?:shown|proven)|does not mean|doesn't mean|does not imply)\b/;

/** Whether a sentence is a question. */
export const isQuestion = (sentence: string) => /[?？]["'”’)\]]*$/u.test(sentence);

/** Whether the sentence questions, or denies, the claim at `cue` (an offset in it). */
export function isDoubted(sentence: string, cue: number): boolean {
  const lower = sentence.toLowerCase();
  const before = lower.slice(0, cue);
  return (
    DOUBT_BEFORE.test(before) ||
    CONDITION.test(before) ||
    OPENS_CONDITION.test(before) ||
    DOUBT_ANYWHERE.test(lower)
  );
}

const QUOTES = new Set(['"', '“', '”', "'", '‘', '’', '`']);
const NAMES_WORDS = wordSet('word words term phrase keyword conjunction');

/** Whether a cue is mentioned rather than used: the word "because". */
export function isMentioned(tokens: readonly Token[], { from, to }: Range): boolean {
  const before = wordAt(tokens, from - 1);
  if (NAMES_WORDS.has(before)) return true;
  return QUOTES.has(before) && QUOTES.has(wordAt(tokens, to));
}

export interface VerbGroup {
  /** The end of the subject. */
  readonly subjectTo: number;
  readonly words: readonly string[];
  readonly negated: boolean;
  readonly hedged: boolean;
  readonly partial: boolean;
}

/** Auxiliaries and adverbs before a predicate, with the modality they express. */
export function verbGroup(tokens: readonly Token[], { from, to }: CueMatch): VerbGroup {
  let subjectTo = from;
  while (subjectTo > 0 && isAuxiliary(tokens[subjectTo - 1])) subjectTo -= 1;
  const words = tokens.slice(subjectTo, to).map(({ word }) => word);
  const { length } = words;
  return {
    subjectTo,
    words: words.slice(0, length - (to - from)),
    negated:
      words.some((word) => NEGATORS.has(word)) ||
      isUnclaimed(tokens, subjectTo, from) ||
      isByNoMeans(tokens, subjectTo),
    hedged: words.some((word) => HEDGES.has(word)),
    partial: words.some((word) => PARTIAL.has(word)),
  };
}

const isAuxiliary = (token: Token | undefined) =>
  token !== undefined && (AUXILIARIES.has(token.word) || /..ly$/.test(token.word));

const isByNoMeans = (tokens: readonly Token[], to: number) =>
  wordAt(tokens, to - 1) === 'means' && wordAt(tokens, to - 2) === 'no';

/**
 * An infinitive expresses a purpose or a refusal ("failed to cause") unless it follows a raising
 * verb.
 */
function isUnclaimed(tokens: readonly Token[], from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const before = wordAt(tokens, i - 1);
    if (wordAt(tokens, i) === 'to' && !RAISING.has(before)) return true;
  }
  return false;
}
