import type { Range, Statement } from '../finding.ts';
import { isClause, isFinite, isHard, phraseFrom } from './clauses.ts';
import { joined } from './joins.ts';
import { FINITE, TIMES, type Token, wordAt, wordSet } from './lexicon.ts';
import type { Context } from './cues.ts';

/**
 * "since" with a clause is causal, unless the other clause is in the perfect, which makes it
 * temporal.
 */
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

/**
 * "as" with a stative clause is causal, in front or after a comma; with an eventive clause it is
 * temporal, a short one ("as you know", "as he does") is a comment, and without a verb it compares.
 */
export function as(context: Context): Statement | undefined {
  const { tokens, match } = context;
  const before = wordAt(tokens, match.from - 1);
  if (NOT_REASON.has(wordAt(tokens, match.to)) || NOT_BEFORE.has(before)) return undefined;
  const clause = phraseFrom(context, match.to, 'clause');
  if (clause.to - clause.from < 3 || !isClause(context, clause)) return undefined;
  const apart = before === '' || before === ',' || isHard(tokens[match.from - 1]);
  if (!isReason(tokens, clause, apart) || compares(tokens, match.from)) return undefined;
  return joined(context, 'clause');
}
const NOT_REASON = wordSet(
  'if though far long soon well shown expected of for to in a an such usual opposed described follows noted seen part result was were is all good many ere you',
);
const NOT_BEFORE = wordSet(
  'such same so just even well known regarded used seen act acts acted serve serves served treated',
);

/** "as tall as", "the same as". */
function compares(tokens: readonly Token[], at: number): boolean {
  const near = tokens.slice(Math.max(0, at - 4), at).map(({ word }) => word);
  return near.includes('as') || near.includes('same') || near.includes('such');
}

/** The first verb decides; without a comma before "as" it has to be in the present. */
function isReason(tokens: readonly Token[], clause: Range, apart: boolean): boolean {
  for (let i = clause.from; i < clause.to - 1; i++) {
    const word = wordAt(tokens, i);
    if (STATES.has(word)) return apart && isState(tokens, i);
    if (isFinite(tokens, i)) return isPresent(word) || (apart && isNegative(tokens, clause));
  }
  return false;
}
const STATES =
  wordSet(`is are was were has have had can could cannot can't couldn't did didn't does doesn't do don't need needs want wants
   lack lacks lacked isn't aren't wasn't weren't hasn't haven't hadn't never no seems seemed remains remained must`);

/** "was walking" and "had done" are eventive, "did" alone stands for another verb. */
function isState(tokens: readonly Token[], i: number): boolean {
  const [word, next] = [wordAt(tokens, i), wordAt(tokens, i + 1)];
  if (/^(?:did|do|does)$/.test(word)) return next === 'not';
  return !(/^(?:is|are|was|were)$/.test(word) && /..ing$/.test(next));
}

const isPresent = (word: string) => FINITE.has(word) && /[^s]s$/.test(word);
const isNegative = (tokens: readonly Token[], { from }: Range) =>
  /^(?:nobody|no|nothing|neither|none)$/.test(wordAt(tokens, from));
