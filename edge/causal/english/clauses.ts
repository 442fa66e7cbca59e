import type { Range } from '../finding.ts';
import {
  AFTER_COMMA,
  DETERMINERS,
  FINITE,
  looksPast,
  OPENERS,
  REPORTING,
  SUBJECTS,
  SUBORDINATORS,
  type Token,
  wordAt,
  wordSet,
} from './lexicon.ts';

/** A sentence as the rules see it. */
export interface Clauses {
  readonly tokens: readonly Token[];
  /**
   * Whether a cue begins at a token; nouns ("the cause of") may be part of a phrase and are
   * excluded.
   */
  readonly isCue: (index: number) => boolean;
  /** Whether that cue is a verb with a subject of its own. */
  readonly isPredicate: (index: number) => boolean;
}

const HARD = wordSet('; : — – ( ) " “ ” « » | - * • < >');
const JOINS = new Set(['and', 'or', 'nor']);

export const isHard = (token: Token | undefined) => token === undefined || HARD.has(token.word);
export const isStop = (token: Token | undefined) =>
  token === undefined || ['.', '!', '?', '…'].includes(token.word);

/** A finite verb: by our own list, or by -ed after a word that is not part of a noun phrase. */
export function isFinite(tokens: readonly Token[], i: number): boolean {
  const word = wordAt(tokens, i);
  if (FINITE.has(word)) return true;
  const before = wordAt(tokens, i - 1);
  if (!looksPast(word) || before === '') return false;
  return !DETERMINERS.has(before) && !NO_VERB_AFTER.has(before) && wordAt(tokens, i + 1) !== 'by';
}
const NO_VERB_AFTER = wordSet(
  'of in with by for from on at as than be being , ; : very too so such not to',
);

export function hasFinite({ tokens, isPredicate }: Clauses, { from, to }: Range): boolean {
  for (let i = from; i < to; i++) if (isFinite(tokens, i) || isPredicate(i)) return true;
  return false;
}

/** Whether a range can be a clause: a verb with a subject before it. */
export function isClause(clauses: Clauses, { from, to }: Range): boolean {
  if (from >= to || isFinite(clauses.tokens, from)) return false;
  return (
    hasFinite(clauses, { from: from + 1, to }) ||
    (to - from > 1 && SUBJECTS.has(wordAt(clauses.tokens, from)))
  );
}

/** The clause that ends before `to`: the subject of a predicate, or an operand of a conjunction. */
export function clauseBefore(clauses: Clauses, to: number): Range {
  let from = to;
  while (from > 0 && !startsAfter(clauses, from - 1, to)) from -= 1;
  return withoutOpening(clauses, { from, to });
}

/** Whether a clause that ends before `to` begins after token `i`. */
function startsAfter(clauses: Clauses, i: number, to: number): boolean {
  const { tokens } = clauses;
  const word = wordAt(tokens, i);
  if (isHard(tokens[i]) || word === 'but') return true;
  if (word === 'that') return REPORTING.has(wordAt(tokens, i - 1));
  if (word === 'so') return wordAt(tokens, i - 1) === ',';
  if (beginsClauseAt(tokens, i)) return commaWithin(tokens, i, to) === undefined;
  return JOINS.has(word) && joinsClauses(clauses, i, to);
}

/** "when the fan", "since the fan" and "as it", but not "until later" or "as a fan". */
function beginsClauseAt(tokens: readonly Token[], i: number): boolean {
  const word = wordAt(tokens, i);
  if (word === 'as') return SUBJECTS.has(wordAt(tokens, i + 1));
  return word === 'since' || (SUBORDINATORS.has(word) && word !== 'until');
}

/** Whether "and" joins two clauses rather than two nouns or two verbs of one subject. */
function joinsClauses(clauses: Clauses, i: number, to: number): boolean {
  let start = i;
  while (start > 0 && !isHard(clauses.tokens[start - 1])) start -= 1;
  const last = wordAt(clauses.tokens, to - 1) === ',' ? to - 1 : to;
  const left = hasFinite(clauses, { from: start, to: i });
  return left && last > i + 1 && !isFinite(clauses.tokens, i + 1);
}

/** Removes "In 2011," and "When the bell rang," from the beginning of a clause. */
function withoutOpening({ tokens }: Clauses, { from, to }: Range): Range {
  let start = from;
  for (let rounds = 0; rounds < 3; rounds++) {
    while (start < to && isLoose(tokens[start])) start += 1;
    const comma = opens(wordAt(tokens, start)) ? commaWithin(tokens, start, to) : undefined;
    if (comma === undefined) break;
    start = comma + 1;
  }
  return { from: start, to };
}

const opens = (word: string) => OPENERS.has(word) || SUBORDINATORS.has(word);

function commaWithin(tokens: readonly Token[], from: number, to: number): number | undefined {
  for (let i = from; i < to; i++) if (wordAt(tokens, i) === ',') return i;
  return undefined;
}

/** The phrase or clause that begins at `from`. */
export function phraseFrom(clauses: Clauses, from: number, kind: 'noun' | 'clause'): Range {
  const { tokens } = clauses;
  const start = kind === 'clause' ? behindOpening(tokens, from) : from;
  let to = start;
  let listEnd = endOfCondition(tokens, start);
  while (!isEnd(tokens, to) && (to === start || !endsPhrase(clauses, to, kind))) {
    if (wordAt(tokens, to) === ',' && to >= listEnd) {
      const insertion = kind === 'clause' ? endOfInsertion(clauses, { from: start, to }) : -1;
      listEnd = Math.max(insertion, endOfList(clauses, to));
      if (listEnd < 0) break;
      to = Math.max(to, insertion);
    }
    to += 1;
  }
  return trimRange(tokens, { from: start, to });
}

/** In "if both are set, they should" the first comma ends the condition only. */
function endOfCondition(tokens: readonly Token[], start: number): number {
  const comma = commaWithin(tokens, start, tokens.length);
  return SUBORDINATORS.has(wordAt(tokens, start)) && comma !== undefined ? comma + 1 : -1;
}

/** After "in most cases," with which a clause may begin. */
function behindOpening(tokens: readonly Token[], from: number): number {
  if (!OPENERS.has(wordAt(tokens, from))) return from;
  const comma = commaWithin(tokens, from, Math.min(tokens.length, from + MAX_OPENING_WORDS));
  return comma === undefined ? from : comma + 1;
}
const MAX_OPENING_WORDS = 6;

const isEnd = (tokens: readonly Token[], i: number) =>
  i >= tokens.length || isHard(tokens[i]) || (i === tokens.length - 1 && isStop(tokens[i]));

/**
 * The end of an insertion such as ", which is older than the building," between a subject and its
 * verb; -1 if there is none.
 */
function endOfInsertion(clauses: Clauses, { from, to }: Range): number {
  const { tokens } = clauses;
  if (!RELATIVES.has(wordAt(tokens, to + 1)) || hasFinite(clauses, { from, to })) return -1;
  return commaWithin(tokens, to + 1, tokens.length) ?? -1;
}
const RELATIVES = new Set(['which', 'who', 'whose']);

/** Whether a phrase ends before token `i`. */
function endsPhrase(clauses: Clauses, i: number, kind: 'noun' | 'clause'): boolean {
  const { tokens } = clauses;
  const word = wordAt(tokens, i);
  if (SUBORDINATORS.has(word) || word === 'but') return true;
  if (isStop(tokens[i]) && word !== '.') return true;
  if (JOINS.has(word)) return endsAtJoin(clauses, i, kind);
  return kind === 'noun' && clauses.isCue(i) && !isFinite(tokens, i);
}

function endsAtJoin(clauses: Clauses, i: number, kind: 'noun' | 'clause'): boolean {
  const { tokens } = clauses;
  const rest = { from: i + 1, to: stretchEnd(tokens, i + 1) };
  for (let k = rest.from; k < rest.to; k++) if (clauses.isCue(k)) return true;
  if (kind === 'noun') return hasFinite(clauses, rest) || isClause(clauses, rest);
  return wordAt(tokens, i - 1) === ',' && isClause(clauses, rest);
}

function stretchEnd(tokens: readonly Token[], from: number): number {
  let to = from;
  while (to < tokens.length && !isHard(tokens[to]) && wordAt(tokens, to) !== ',') to += 1;
  return to;
}

const MAX_ITEM_WORDS = 7;

/**
 * The end of a list that continues at a comma ("a, b and c"); -1 where the comma is of another
 * kind.
 */
function endOfList(clauses: Clauses, comma: number): number {
  const { tokens } = clauses;
  const first = wordAt(tokens, comma + 1);
  if (!canBeItem(first)) return -1;
  let item = comma + 1;
  for (let i = item; i < tokens.length && i - item <= MAX_ITEM_WORDS; i++) {
    const word = wordAt(tokens, i);
    if (JOINS.has(word)) return beginsClause(clauses, i + 1) ? -1 : i;
    if (isHard(tokens[i]) || isFinite(tokens, i) || clauses.isCue(i)) break;
    if (word === ',') item = i + 1;
  }
  return -1;
}

const canBeItem = (word: string) => !AFTER_COMMA.has(word) && !word.endsWith('ing');

const beginsClause = (clauses: Clauses, from: number) =>
  hasFinite(clauses, { from, to: stretchEnd(clauses.tokens, from) });

/** Without punctuation and conjunctions at both ends. */
export function trimRange(tokens: readonly Token[], range: Range): Range {
  let { from, to } = range;
  while (from < to && isLoose(tokens[from])) from += 1;
  while (to > from && isLoose(tokens[to - 1])) to -= 1;
  return { from, to };
}

const isLoose = (token: Token | undefined) =>
  token !== undefined && (!token.isWord || JOINS.has(token.word) || token.word === 'but');
