import type { Range } from '../statement.ts';
import { isClause, isFinite, trimRange, type Clauses } from './clauses.ts';
import { DETERMINERS } from './lexicon.ts';
import { wordAt } from './tokens.ts';

/** More than these are a text that plays with us. */
const MOST_CONJUNCTS = 6;
const JOINS = new Set(['and', 'or']);

/** The parts of "rain, wind and snow", or of two clauses joined by "and"; one part where nothing is joined. */
export function conjuncts(clauses: Clauses, range: Range): Range[] {
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
  return stands && filled.length <= MOST_CONJUNCTS ? filled.map(withoutBoth(clauses)) : [whole];
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
