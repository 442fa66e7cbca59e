import { isClause, isFinite, phraseFrom } from './clauses.ts';
import { joined } from './joins.ts';
import { FINITE, STATIVE, TIMES } from './lexicon.ts';
import type { Context, Statement } from './statement.ts';
import { wordAt, type Range, type Token } from './tokens.ts';

/** "since" with a clause gives a reason unless the clause beside it is in the perfect, which tells a time. */
export function since(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const next = wordAt(tokens, match.to);
  if (NO_SINCE.has(wordAt(tokens, match.from - 1)) || TIMES.has(next) || /^\d/.test(next))
    return undefined;
  if (!isClause(context, phraseFrom(context, match.to, 'clause'))) return undefined;
  const statement = joined(context, 'clause');
  if (!statement || statement.effect === 'previous') return undefined;
  return isPerfect(tokens, statement.effect) ? undefined : statement;
}
const NO_SINCE = new Set(['ever', 'long']);

function isPerfect(tokens: readonly Token[], { from, to }: Range): boolean {
  return tokens
    .slice(from, to)
    .some(({ word }) => word === 'has' || word === 'have' || word.endsWith("'ve"));
}

/** "as" with a clause of a state gives a reason; one of an event tells a time, and without a verb it compares. */
export function as(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const next = wordAt(tokens, match.to);
  const before = wordAt(tokens, match.from - 1);
  if (NOT_REASON.has(next) || NOT_BEFORE.has(before) || !isReason(context)) return undefined;
  if (compares(tokens, match.from)) return undefined;
  return joined(context, 'clause');
}
const NOT_REASON = new Set(
  'if though far long soon well shown expected of for to in a an such usual opposed described follows noted seen part result'.split(
    ' ',
  ),
);
const NOT_BEFORE = new Set(
  'such same so just well known regarded used seen act acts acted serve serves served treated'.split(
    ' ',
  ),
);

/** "as tall as", "the same as". */
function compares(tokens: readonly Token[], at: number): boolean {
  const near = tokens.slice(Math.max(0, at - 4), at).map(({ word }) => word);
  return near.includes('as') || near.includes('same') || near.includes('such');
}

function isReason(context: Context): boolean {
  const { tokens, match } = context;
  const clause = phraseFrom(context, match.to, 'clause');
  if (!isClause(context, clause)) return false;
  for (let i = clause.from; i < clause.to; i++) {
    const word = wordAt(tokens, i);
    if (STATIVE.has(word)) return !isProgressive(tokens, i);
    if (isFinite(tokens, i)) return isPresent(word) || isNegative(tokens, clause);
  }
  return false;
}

const isPresent = (word: string) => FINITE.has(word) && /[^s]s$/.test(word);
const isProgressive = (tokens: readonly Token[], i: number) =>
  /...ing$/.test(wordAt(tokens, i + 1)) && /^(?:is|are|was|were)$/.test(wordAt(tokens, i));
const isNegative = (tokens: readonly Token[], { from }: Range) =>
  /^(?:nobody|no|nothing|neither|none)$/.test(wordAt(tokens, from));
