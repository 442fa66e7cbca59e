import {
  type Draft,
  draftsOf,
  MAX_CONJUNCTS,
  type Range,
  type Span,
  type Statement,
} from '../finding.ts';
import { withoutStop } from '../sentences.ts';
import { as, since } from './ambiguous.ts';
import { type Clauses, isClause, isFinite, trimRange } from './clauses.ts';
import type { CueKind } from './cue-table.ts';
import { type Context, matchCues } from './cues.ts';
import { connective, joined, so } from './joins.ts';
import { DETERMINERS, PRONOUNS, type Token, tokenise, wordAt, wordSet } from './lexicon.ts';
import { isDoubted, isMentioned, isQuestion } from './modality.ts';
import { reason, whatCaused } from './nominal.ts';
import { backward, forward, gerund, make } from './predicates.ts';

const RULES: Record<CueKind, (context: Context) => Statement | undefined> = {
  forward: (context) => whatCaused(context) ?? forward(context),
  backward,
  gerund,
  preposition: (context) => joined(context, 'noun'),
  subordinate: (context) => joined(context, 'clause'),
  since,
  as,
  connective,
  so,
  make,
  reason,
};

const PREDICATES = new Set<CueKind | undefined>(['forward', 'backward']);

/**
 * The causes and effects stated in an English sentence; `previous` is the preceding sentence, for
 * cues that refer back.
 */
export function readEnglish(text: string, sentence: Span, previous?: Span): Draft[] {
  const words = text.slice(sentence.start, sentence.end);
  if (isQuestion(words)) return [];
  const tokens = tokenise(text, sentence);
  const matches = matchCues(tokens);
  const kinds = new Map(matches.map(({ from, cue }) => [from, cue.kind]));
  const clauses: Clauses = {
    tokens,
    isCue: (index) => kinds.has(index) && kinds.get(index) !== 'reason',
    isPredicate: (index) => PREDICATES.has(kinds.get(index)),
  };
  const effects: Range[] = [];
  return matches.flatMap((match) => {
    const at = (tokens[match.from]?.start ?? 0) - sentence.start;
    if (isMentioned(tokens, match) || isDoubted(words, at)) return [];
    const context = { ...clauses, match, effects, hasPrevious: previous !== undefined };
    const statement = RULES[match.cue.kind](context);
    if (!statement) return [];
    if (statement.effect !== 'previous') effects.push(statement.effect);
    const cue = { ...match.cue, cue: spanOf(tokens, match), hedged: false };
    const source = { text, previous, clauses };
    return draftsOf(statement, cue, (part) => partsOf(source, part));
  });
}

interface Source {
  readonly text: string;
  readonly previous: Span | undefined;
  readonly clauses: Clauses;
}

function partsOf({ text, previous, clauses }: Source, part: Range | 'previous'): Span[] {
  if (part === 'previous') return previous ? [withoutStop(text, previous)] : [];
  return conjuncts(clauses, part).flatMap((range) => {
    const kept = withoutAdverbs(clauses, range);
    const word = wordAt(clauses.tokens, kept.from);
    const says = kept.to > kept.from && !(kept.to - kept.from === 1 && PRONOUNS.has(word));
    return says ? [withTicks(text, spanOf(clauses.tokens, kept))] : [];
  });
}

const LOOSE = wordSet(
  'then also that mainly mostly partly indeed error warn warning info debug fatal critical alert',
);

function withoutAdverbs({ tokens }: Clauses, range: Range): Range {
  let { from } = range;
  while (from < range.to - 1 && LOOSE.has(wordAt(tokens, from))) from += 1;
  return trimRange(tokens, { from, to: range.to });
}

function spanOf(tokens: readonly Token[], { from, to }: Range): Span {
  return { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
}

/** Includes the backtick whose counterpart is inside: `cache` is one word. */
function withTicks(text: string, { start, end }: Span): Span {
  const isOdd = text.slice(start, end).split('`').length % 2 === 0;
  if (!isOdd) return { start, end };
  if (text.charAt(start - 1) === '`') return { start: start - 1, end };
  return { start, end: text.charAt(end) === '`' ? end + 1 : end };
}

const JOINS = new Set(['and', 'or']);

/**
 * The parts of "rain, wind and snow", or of two clauses joined by "and"; a single part where
 * nothing is joined.
 */
function conjuncts(clauses: Clauses, range: Range): Range[] {
  const whole = trimRange(clauses.tokens, range);
  const joins = joinsOf(clauses, whole);
  const last = joins.at(-1);
  if (last === undefined || !JOINS.has(wordAt(clauses.tokens, last))) return [whole];
  const starts = [whole.from, ...joins.map((join) => join + 1)];
  const parts = starts.map((from, k) =>
    trimRange(clauses.tokens, { from, to: joins[k] ?? whole.to }),
  );
  const filled = parts.filter(({ from, to }) => to > from);
  const stands = isClause(clauses, whole)
    ? filled.every((part) => isClause(clauses, part))
    : filled.every((part) => isNoun(clauses, part)) && !isBound(clauses, whole, last);
  return stands && filled.length <= MAX_CONJUNCTS ? filled.map(withoutBoth(clauses)) : [whole];
}

function joinsOf({ tokens }: Clauses, { from, to }: Range): number[] {
  const joins: number[] = [];
  for (let i = from + 1; i < to - 1; i++) {
    const word = wordAt(tokens, i);
    if (word === ',' || JOINS.has(word)) joins.push(i);
  }
  return joins;
}

const isNoun = ({ tokens }: Clauses, { from }: Range) =>
  !isFinite(tokens, from) && !/..(?:ly|ed)$/.test(wordAt(tokens, from));

/** "between a and b" and "to stop and restart" stay whole. */
function isBound({ tokens }: Clauses, { from, to }: Range, last: number): boolean {
  const before = tokens.slice(from, last).map(({ word }) => word);
  const after = tokens.slice(last + 1, to).map(({ word }) => word);
  if (before.includes('between')) return true;
  if (before.includes('to') && !after.includes('to') && !DETERMINERS.has(after[0] ?? ''))
    return true;
  return before.includes('from') && !after.includes('from') && after[0]?.endsWith('ing') === true;
}

const withoutBoth =
  ({ tokens }: Clauses) =>
  ({ from, to }: Range): Range => ({
    from: ['both', 'either'].includes(wordAt(tokens, from)) && to > from + 1 ? from + 1 : from,
    to,
  });
