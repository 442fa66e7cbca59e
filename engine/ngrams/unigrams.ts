import { type Discounts, discountOf } from './discounts.ts';
import type { NgramTrie } from './trie.ts';

interface Unigrams {
  readonly chances: Float64Array;
  readonly logs: Float64Array;
  /** The chance of a token that is counted once less. */
  readonly own: number;
}

/**
 * Chances of tokens behind no context. Where one that was counted `count` times is counted once less, those
 * of all others depend on `count` up to 4 alone: each case is computed once.
 */
export function createUnigrams(
  { vocabulary, tokens, counts, children }: NgramTrie,
  discounts: Discounts,
): (count: number) => Unigrams {
  const end = children[1] ?? tokens.length;
  let [total, held] = [0, 0];
  for (let child = 1; child < end; child++) {
    total += counts[child] as number;
    held += discountOf(discounts, counts[child] as number);
  }
  const spread = (sum: number, part: number, among: number) =>
    among === 0 ? 1 / vocabulary : (sum + part / vocabulary) / among;
  const compute = (part: number, among: number) => {
    const chances = new Float64Array(vocabulary).fill(spread(0, part, among));
    for (let child = 1; child < end; child++) {
      const count = counts[child] as number;
      chances[tokens[child] as number] = spread(count - discountOf(discounts, count), part, among);
    }
    return { chances, logs: chances.map(Math.log) };
  };
  const cases = new Map<number, ReturnType<typeof compute>>();
  return (count) => {
    const among = count === 0 ? total : total - 1;
    const part =
      count === 0 ? held : held - discountOf(discounts, count) + discountOf(discounts, count - 1);
    const key = Math.min(count, 4);
    const known = cases.get(key) ?? compute(part, among);
    cases.set(key, known);
    const own = count === 0 ? 0 : spread(count - 1 - discountOf(discounts, count - 1), part, among);
    return { ...known, own };
  };
}
