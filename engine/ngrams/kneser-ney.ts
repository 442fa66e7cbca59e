import { discountOf, type Discounts, discountsOf } from './discounts.ts';
import { childOf, contextNode, levelStarts, type NgramTrie } from './trie.ts';
import { createUnigrams } from './unigrams.ts';

/**
 * Next-token distributions of counted n-grams: modified Kneser-Ney, interpolated down to uniform
 * (Chen & Goodman 1999, section 3).
 *
 *   p(w | h) = (c(h w) - D(c(h w))) / c(h .) + (D1 N1 + D2 N2 + D3 N3+) / c(h .) p(w | h')
 *
 * h' is h without its first token, D the discount of counts 1, 2 and above, N how many tokens follow h so often.
 */
export interface NgramModel {
  readonly order: number;
  readonly vocabulary: number;
  /**
   * Writes log p of every token behind the tokens from `start` up to `end` of `tokens`, of which the last
   * `order - 1` count, into `out f32[vocabulary]`. With `leftOut`, one occurrence of that token there is not
   * counted: of the longest n-gram and, where that was its only one, of its suffixes in turn.
   */
  logProbabilities(context: Context, out: Float32Array, leftOut?: number): void;
}

/** A stretch of tokens. */
interface Context {
  readonly tokens: ArrayLike<number>;
  readonly start: number;
  readonly end: number;
}

export function createNgramModel(trie: NgramTrie): NgramModel {
  const { order, vocabulary, counts } = trie;
  const starts = levelStarts(trie);
  const discounts = Array.from({ length: order }, (_, i) =>
    discountsOf(counts.subarray(starts[i + 1], starts[i + 2])),
  );
  const unigrams = createUnigrams(trie, discounts[0] as Discounts);
  const sums = createSparseSums(vocabulary);
  /** Adds the tokens behind all contexts but the empty one; gives its weight, and the token to skip there. */
  const descend = ({ tokens, start, end }: Context, leftOut: number | undefined) => {
    let weight = 1;
    let isLeftOut = leftOut !== undefined;
    const skippedAt = (node: number) => (isLeftOut ? childOf(trie, node, leftOut ?? 0) : 0);
    for (let length = Math.min(order - 1, end - start); length > 0; length--) {
      const node = contextNode(trie, tokens, end - length, end);
      if (node === 0) continue;
      const skipped = skippedAt(node);
      const level = { trie, discounts: discounts[length] as Discounts, sums };
      weight = addChildren(level, node, weight, skipped);
      isLeftOut &&= skipped === 0 || counts[skipped] === 1;
    }
    return { weight, skipped: skippedAt(0) };
  };
  return {
    order,
    vocabulary,
    logProbabilities(context, out, leftOut) {
      const { weight, skipped } = descend(context, leftOut);
      const { chances, logs, own } = unigrams(counts[skipped] as number);
      const log = Math.log(weight);
      for (let token = 0; token < vocabulary; token++) out[token] = log + (logs[token] as number);
      const before = sums.of(leftOut ?? 0);
      sums.take((token, sum) => {
        out[token] = Math.log(sum + weight * (chances[token] as number));
      });
      if (skipped !== 0) out[leftOut ?? 0] = Math.log(before + weight * own);
    },
  };
}

/** Sums by token, of which few are not 0. */
function createSparseSums(vocabulary: number) {
  const sums = new Float64Array(vocabulary);
  const listed = new Uint32Array(vocabulary);
  let used = 0;
  return {
    of: (token: number) => sums[token] as number,
    add(token: number, mass: number): void {
      if (mass === 0) return;
      if (sums[token] === 0) listed[used++] = token;
      sums[token] = (sums[token] as number) + mass;
    },
    /** Hands out every sum that is not 0 and forgets it. */
    take(visit: (token: number, sum: number) => void): void {
      for (let i = 0; i < used; i++) {
        const token = listed[i] as number;
        visit(token, sums[token] as number);
        sums[token] = 0;
      }
      used = 0;
    },
  };
}

interface Level {
  readonly trie: NgramTrie;
  readonly discounts: Discounts;
  readonly sums: ReturnType<typeof createSparseSums>;
}

/**
 * Adds the chances of the tokens behind a context, `weight` in all, and returns the weight that is left for
 * shorter contexts. The child `skipped` is counted once less.
 */
function addChildren(
  { trie: { tokens, counts, children }, discounts, sums }: Level,
  node: number,
  weight: number,
  skipped: number,
): number {
  const [first, end] = [children[node] as number, children[node + 1] as number];
  let [total, held] = [0, 0];
  for (let child = first; child < end; child++) {
    const count = (counts[child] as number) - Number(child === skipped);
    total += count;
    held += discountOf(discounts, count);
  }
  if (total === 0) return weight;
  for (let child = first; child < end; child++) {
    const count = (counts[child] as number) - Number(child === skipped);
    const part = count - discountOf(discounts, count);
    sums.add(tokens[child] as number, (weight * part) / total);
  }
  return (weight * held) / total;
}
