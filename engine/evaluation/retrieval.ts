import { EngineError } from '../errors.ts';

export interface RetrievalFigures {
  readonly queries: number;
  /** For each k that was asked for: share of queries whose target is among the k most similar candidates. */
  readonly recallAt: ReadonlyMap<number, number>;
  /** Mean of one over the rank of the target. */
  readonly meanReciprocalRank: number;
  /** Ranks count from 1; of an even number of queries, the mean of the middle two. */
  readonly medianRank: number;
}

interface RetrievalMeter {
  /** Similarities of a query to all candidates, and which of them is its target. */
  add(similarities: ArrayLike<number>, target: number): void;
  /** Of all that has been added; null before anything was. */
  figures(): RetrievalFigures | null;
}

/** Ranks targets query by query; keeps one count for each rank that occurred. */
export function createRetrievalMeter(ks: readonly number[] = [1, 5, 10]): RetrievalMeter {
  const bad = ks.find((k) => !(Number.isSafeInteger(k) && k > 0));
  if (bad !== undefined) {
    throw new EngineError(
      'invalid-setting',
      `recall at ${bad}: expected a whole number of at least 1`,
    );
  }
  const counts = new Map<number, number>();
  return {
    add(similarities, target) {
      const rank = rankOf(similarities, target);
      counts.set(rank, (counts.get(rank) ?? 0) + 1);
    },
    figures() {
      const ranks = [...counts].toSorted(([a], [b]) => a - b);
      const queries = ranks.reduce((sum, [, count]) => sum + count, 0);
      if (queries === 0) return null;
      const shareOf = (weight: (rank: number) => number) =>
        ranks.reduce((sum, [rank, count]) => sum + weight(rank) * count, 0) / queries;
      return {
        queries,
        recallAt: new Map(ks.map((k) => [k, shareOf((rank) => (rank <= k ? 1 : 0))])),
        meanReciprocalRank: shareOf((rank) => 1 / rank),
        medianRank: medianOf(ranks, queries),
      };
    },
  };
}

/**
 * Retrieval of pairs, both ways: `similarities [pairs, pairs]`, row by row, with those that belong together
 * on the diagonal. `forward` asks with rows (say, captions for images), `backward` with columns.
 */
export function pairRetrieval(
  similarities: ArrayLike<number>,
  pairs: number,
  ks?: readonly number[],
): { readonly forward: RetrievalFigures; readonly backward: RetrievalFigures } {
  if (!(Number.isSafeInteger(pairs) && pairs > 0 && similarities.length === pairs ** 2)) {
    throw new EngineError(
      'shape-mismatch',
      `${similarities.length} similarities are not [${pairs}, ${pairs}]`,
    );
  }
  const retrieve = (place: (query: number, candidate: number) => number) => {
    const meter = createRetrievalMeter(ks);
    for (let query = 0; query < pairs; query++) {
      meter.add(
        Float64Array.from({ length: pairs }, (_, i) => similarities[place(query, i)] ?? Number.NaN),
        query,
      );
    }
    // There is at least one pair.
    return meter.figures() as RetrievalFigures;
  };
  return {
    forward: retrieve((query, candidate) => query * pairs + candidate),
    backward: retrieve((query, candidate) => candidate * pairs + query),
  };
}

/** Candidates that are as similar as the target count before it, so that equal answers to all find nothing. */
function rankOf(similarities: ArrayLike<number>, target: number): number {
  const own = similarities[target];
  if (own === undefined) {
    throw new EngineError(
      'invalid-setting',
      `the target is candidate ${target}: expected one of ${similarities.length}, counted from 0`,
    );
  }
  let rank = 0;
  for (let i = 0; i < similarities.length; i++) {
    const similarity = similarities[i] ?? Number.NaN;
    if (Number.isNaN(similarity)) {
      throw new EngineError(
        'invalid-setting',
        `the similarity of candidate ${i} is NaN: expected a number`,
      );
    }
    if (similarity >= own) rank += 1;
  }
  return rank;
}

function medianOf(ranks: readonly (readonly [rank: number, count: number])[], queries: number) {
  const at = (place: number) => {
    let before = 0;
    const found = ranks.find(([, count]) => (before += count) > place);
    return found?.[0] ?? 0;
  };
  return (at(Math.floor((queries - 1) / 2)) + at(Math.floor(queries / 2))) / 2;
}
