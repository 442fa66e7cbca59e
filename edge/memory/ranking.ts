import type { ScoreBreakdown } from './contract/search.ts';

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

export interface Judgement {
  /** Epoch milliseconds. */
  readonly asOf: number;
  /** How sure it is that a memory is about the query, from 0 to 1. */
  readonly relevanceOf: (seq: number) => number;
}

/** From where similarity is chance, and from where it leaves no doubt. */
export interface Scale {
  readonly chance: number;
  readonly certain: number;
}

export const scaled = (similarity: number, { chance, certain }: Scale): number =>
  Math.min(1, Math.max(0, (similarity - chance) / (certain - chance)));

/** What words and likeness say together: either may be enough (noisy or). */
export const either = (a: number, b: number): number => 1 - (1 - a) * (1 - b);

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
 * is in it: being recent or important finds nothing by itself. Ranks only compare memories with each
 * other, so all of a score goes by how relevant its memory is.
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
