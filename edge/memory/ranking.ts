import type { ScoreBreakdown } from '../contract/memory/search.ts';

/** Reciprocal-rank fusion, Cormack, Clarke and Büttcher (2009): how much first ranks stand out. */
const K = 60;
/** An age at which a memory counts half as recent. */
export const HALF_LIFE_MS = 30 * 24 * 3600 * 1000;

/** What each reason may add to a score; together they are 1. */
export const WEIGHTS = {
  semantic: 0.375,
  lexical: 0.375,
  graph: 0.125,
  recency: 0.0625,
  importance: 0.0625,
} as const satisfies ScoreBreakdown;

/** 1 for what is of now, half for each half-life that it is older. */
export const recencyOf = (validAt: number, asOf: number): number =>
  2 ** (-Math.max(0, asOf - validAt) / HALF_LIFE_MS);

/** 1 for the first; the reciprocal rank 1 / (K + rank) as a share of the best there can be. */
export const rankShare = (rank: number): number => (K + 1) / (K + rank);

/** Lists of what each way of searching found, the best first. Each names a memory once. */
export interface Rankings {
  readonly semantic: readonly number[];
  readonly lexical: readonly number[];
  readonly graph: readonly number[];
}

/** What is known of a memory besides. */
export interface Weighed {
  readonly seq: number;
  readonly validAt: number;
  readonly importance: number;
}

export interface Ranked {
  readonly seq: number;
  readonly score: number;
  readonly breakdown: ScoreBreakdown;
}

/**
 * Joins rankings to one, the best first; of equals, the one stored later. Only what a ranking names
 * is in it: being recent or important finds nothing by itself.
 */
export function fuse(
  rankings: Rankings,
  weighed: ReadonlyMap<number, Weighed>,
  asOf: number,
): readonly Ranked[] {
  const shares = {
    semantic: sharesOf(rankings.semantic),
    lexical: sharesOf(rankings.lexical),
    graph: sharesOf(rankings.graph),
  };
  const named = new Set(Object.values(shares).flatMap((share) => [...share.keys()]));
  const ranked = [...named].flatMap((seq): readonly Ranked[] => {
    const known = weighed.get(seq);
    if (!known) return [];
    const breakdown: ScoreBreakdown = {
      semantic: WEIGHTS.semantic * (shares.semantic.get(seq) ?? 0),
      lexical: WEIGHTS.lexical * (shares.lexical.get(seq) ?? 0),
      recency: WEIGHTS.recency * recencyOf(known.validAt, asOf),
      importance: WEIGHTS.importance * known.importance,
      graph: WEIGHTS.graph * (shares.graph.get(seq) ?? 0),
    };
    const { semantic, lexical, recency, importance, graph } = breakdown;
    return [{ seq, score: semantic + lexical + recency + importance + graph, breakdown }];
  });
  return ranked.toSorted((a, b) => b.score - a.score || b.seq - a.seq);
}

const sharesOf = (list: readonly number[]): ReadonlyMap<number, number> =>
  new Map(list.map((seq, i) => [seq, rankShare(i + 1)]));
