import type { ScoreBreakdown } from './contract/search.ts';

/** Reciprocal-rank fusion (Cormack, Clarke and Büttcher, 2009): the smoothing constant. */
const K = 60;
/** The age at which the recency of a memory is one half. */
export const HALF_LIFE_MS = 30 * 24 * 3600 * 1000;

/** The weight of each criterion in a score; they add up to 1. */
export const WEIGHTS = {
  semantic: 0.375,
  lexical: 0.375,
  graph: 0.125,
  recency: 0.0625,
  importance: 0.0625,
} as const satisfies ScoreBreakdown;

/** 1 for the present, halved with each half-life of age. */
export const recencyOf = (validAt: number, asOf: number): number =>
  2 ** (-Math.max(0, asOf - validAt) / HALF_LIFE_MS);

/** The reciprocal rank 1 / (K + rank) as a fraction of the best one: 1 for the first. */
export const rankShare = (rank: number): number => (K + 1) / (K + rank);

/** The results of each retrieval method, the best first. Each names a memory once. */
interface Rankings {
  readonly semantic: readonly number[];
  readonly lexical: readonly number[];
  readonly graph: readonly number[];
}

export interface Judgement {
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** The relevance of a memory to the query, from 0 to 1. */
  readonly relevanceOf: (seq: number) => number;
}

/** The similarities that mean chance and certainty. */
export interface Scale {
  readonly chance: number;
  readonly certain: number;
}

export const scaled = (similarity: number, { chance, certain }: Scale): number =>
  Math.min(1, Math.max(0, (similarity - chance) / (certain - chance)));

/** The combination of words and similarity: either may suffice (noisy or). */
export const either = (a: number, b: number): number => 1 - (1 - a) * (1 - b);

/** Further attributes of a memory. */
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
 * Fuses rankings into one, the best first; of equals, the latest stored. It only contains what a
 * ranking names: recency or importance alone find nothing. Ranks only compare memories with each
 * other, so the whole score is scaled by the relevance of its memory.
 */
export function fuse(
  rankings: Rankings,
  weighed: ReadonlyMap<number, Weighed>,
  { asOf, relevanceOf }: Judgement,
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
    const relevance = relevanceOf(seq);
    const breakdown: ScoreBreakdown = {
      semantic: relevance * WEIGHTS.semantic * (shares.semantic.get(seq) ?? 0),
      lexical: relevance * WEIGHTS.lexical * (shares.lexical.get(seq) ?? 0),
      recency: relevance * WEIGHTS.recency * recencyOf(known.validAt, asOf),
      importance: relevance * WEIGHTS.importance * known.importance,
      graph: relevance * WEIGHTS.graph * (shares.graph.get(seq) ?? 0),
    };
    const { semantic, lexical, recency, importance, graph } = breakdown;
    return [{ seq, score: semantic + lexical + recency + importance + graph, breakdown }];
  });
  return ranked.toSorted((a, b) => b.score - a.score || b.seq - a.seq);
}

const sharesOf = (list: readonly number[]): ReadonlyMap<number, number> =>
  new Map(list.map((seq, i) => [seq, rankShare(i + 1)]));
