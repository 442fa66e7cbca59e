import {
  AFTER_COMMA,
  DETERMINERS,
  FINITE,
  looksPast,
  OPENERS,
  REPORTING,
  SUBJECTS,
  SUBORDINATORS,
} from './lexicon.ts';
import type { Range, Token } from './tokens.ts';

/** A sentence as rules see it. */
export interface Clauses {
  readonly tokens: readonly Token[];
  /** Whether a cue begins at a token. */
  readonly isCue: (index: number) => boolean;
}

const HARD = new Set([
  ';',
  ':',
  '—',
  '–',
  '(',
  ')',
  '"',
  '“',
  '”',
  '«',
  '»',
  '[',
  ']',
  '|',
  '-',
  '*',
  '•',
]);
const JOINS = new Set(['and', 'or', 'nor']);

export const isHard = (token: Token | undefined) => token === undefined || HARD.has(token.word);
export const isStop = (token: Token | undefined) =>
  token === undefined || ['.', '!', '?', '…'].includes(token.word);

/** A form that says when: told by our own list, or by -ed behind something that is no part of a noun phrase. */
export function isFinite(tokens: readonly Token[], i: number): boolean {
  const word = tokens[i]?.word ?? '';
  if (FINITE.has(word)) return true;
  const before = tokens[i - 1]?.word;
  if (!looksPast(word) || before === undefined) return false;
  return !DETERMINERS.has(before) && !NO_VERB_AFTER.has(before) && tokens[i + 1]?.word !== 'by';
}
const NO_VERB_AFTER = new Set(
  'of in with by for from on at as than be being , ; : very too so such not to'.split(' '),
);

export function hasFinite({ tokens }: Clauses, { from, to }: Range): boolean {
  for (let i = from; i < to; i++) if (isFinite(tokens, i)) return true;
  return false;
}

/** Whether a stretch can stand as a clause: a verb with a subject before it. */
export function isClause(clauses: Clauses, { from, to }: Range): boolean {
  if (from >= to || isFinite(clauses.tokens, from)) return false;
  return (
    hasFinite(clauses, { from: from + 1, to }) ||
    (to - from > 1 && SUBJECTS.has(clauses.tokens[from]?.word ?? ''))
  );
}

/** The clause that ends before `to`: what a predicate has as its subject, or a conjunction joins. */
export function clauseBefore(clauses: Clauses, to: number): Range {
  let from = to;
  while (from > 0 && !startsAfter(clauses, from - 1, to)) from -= 1;
  return withoutOpening(clauses, { from, to });
}

/** Whether a clause that ends before `to` begins behind token `i`. */
function startsAfter(clauses: Clauses, i: number, to: number): boolean {
  const { tokens } = clauses;
  const token = tokens[i];
  if (isHard(token) || !token) return true;
  if (token.word === 'that') return REPORTING.has(tokens[i - 1]?.word ?? '');
  if (SUBORDINATORS.has(token.word)) return !tokens.slice(i, to).some(({ word }) => word === ',');
  if (token.word === 'but') return true;
  if (token.word === 'so') return tokens[i - 1]?.word === ',';
  return JOINS.has(token.word) && joinsClauses(clauses, i, to);
}

/** Whether "and" joins two clauses rather than two nouns or two verbs of one subject. */
function joinsClauses(clauses: Clauses, i: number, to: number): boolean {
  let start = i;
  while (start > 0 && !isHard(clauses.tokens[start - 1])) start -= 1;
  const last = clauses.tokens[to - 1]?.word === ',' ? to - 1 : to;
  const left = hasFinite(clauses, { from: start, to: i });
  return left && last > i + 1 && !isFinite(clauses.tokens, i + 1);
}

/** Takes "In 2011," and "When the bell rang," from the beginning of a clause. */
function withoutOpening(clauses: Clauses, { from, to }: Range): Range {
  const { tokens } = clauses;
  let start = from;
  for (let rounds = 0; rounds < 3; rounds++) {
    while (start < to && !tokens[start]?.isWord) start += 1;
    const word = tokens[start]?.word ?? '';
    if (JOINS.has(word) || word === 'but') {
      start += 1;
      continue;
    }
    if (!OPENERS.has(word) && !SUBORDINATORS.has(word)) break;
    const comma = commaWithin(tokens, start, to);
    if (comma === undefined || comma + 1 >= to) break;
    start = comma + 1;
  }
  return { from: start, to };
}

function commaWithin(tokens: readonly Token[], from: number, to: number): number | undefined {
  for (let i = from; i < to; i++) if (tokens[i]?.word === ',') return i;
  return undefined;
}

/** The phrase or clause that begins at `from`. */
export function phraseFrom(clauses: Clauses, from: number, kind: 'noun' | 'clause'): Range {
  const { tokens } = clauses;
  let to = from;
  let listEnd = -1;
  for (; to < tokens.length; to++) {
    const token = tokens[to];
    if (!token || isHard(token) || (to === tokens.length - 1 && isStop(token))) break;
    if (to > from && endsPhrase(clauses, to, kind)) break;
    if (token.word !== ',' || to < listEnd) continue;
    listEnd = endOfList(clauses, to);
    if (listEnd < 0) break;
  }
  return trimRange(tokens, { from, to });
}

/** Whether a phrase ends before token `i`. */
function endsPhrase(clauses: Clauses, i: number, kind: 'noun' | 'clause'): boolean {
  const { tokens } = clauses;
  const word = tokens[i]?.word ?? '';
  if (SUBORDINATORS.has(word) || word === 'but') return true;
  if (isStop(tokens[i]) && !/^[.]$/.test(word)) return true;
  if (JOINS.has(word)) return endsAtJoin(clauses, i, kind);
  return kind === 'noun' && clauses.isCue(i) && !isFinite(tokens, i);
}

function endsAtJoin(clauses: Clauses, i: number, kind: 'noun' | 'clause'): boolean {
  const { tokens } = clauses;
  const rest = { from: i + 1, to: stretchEnd(tokens, i + 1) };
  for (let k = rest.from; k < rest.to; k++) if (clauses.isCue(k)) return true;
  if (kind === 'noun') return hasFinite(clauses, rest) || isClause(clauses, rest);
  return tokens[i - 1]?.word === ',' && isClause(clauses, rest);
}

function stretchEnd(tokens: readonly Token[], from: number): number {
  let to = from;
  while (to < tokens.length && !isHard(tokens[to]) && tokens[to]?.word !== ',') to += 1;
  return to;
}

const LONGEST_ITEM = 7;

/** Where the list ends that goes on at a comma ("a, b and c"); -1 where the comma is of another kind. */
function endOfList(clauses: Clauses, comma: number): number {
  const { tokens } = clauses;
  let item = comma + 1;
  if (AFTER_COMMA.has(tokens[item]?.word ?? '') || /ing$/.test(tokens[item]?.word ?? '')) return -1;
  for (let i = item; i < tokens.length && i - item <= LONGEST_ITEM; i++) {
    const token = tokens[i];
    if (!token || isHard(token) || isFinite(tokens, i) || clauses.isCue(i)) return -1;
    if (JOINS.has(token.word) && (i > item || i === comma + 1)) {
      const rest = { from: i + 1, to: stretchEnd(tokens, i + 1) };
      return hasFinite(clauses, rest) ? -1 : i;
    }
    if (token.word === ',') item = i + 1;
  }
  return -1;
}

/** Without marks and joins at both ends. */
export function trimRange(tokens: readonly Token[], range: Range): Range {
  let { from, to } = range;
  const isLoose = (token: Token | undefined) =>
    token !== undefined && (!token.isWord || JOINS.has(token.word) || token.word === 'but');
  while (from < to && isLoose(tokens[from])) from += 1;
  while (to > from && isLoose(tokens[to - 1])) to -= 1;
  return { from, to };
}
