import type { Similar } from './exact-vectors.ts';
import { coverage, type FoundByWords, type MemoryText } from './text-index.ts';
import { either, fuse, type Judgement, type Ranked, type Scale, scaled } from './ranking.ts';
import type { CausalStatements } from './causes.ts';
import { type Condition, conditionOf, type Filters, type Query } from './records.ts';
import { traverse, type Reached } from './causal-graph.ts';
import type { MemoryStore } from './store.ts';
import type { MemoryVectors } from './vectors.ts';

/** The number of memories of each retrieval method that are ranked. */
const POOL = 200;
/** The number of the best memories from which causes are traversed. */
const SEEDS = 8;
/** The minimum similarity: vectors of texts without a common word reach it by chance. */
export const MIN_SIMILARITY = 0.25;
const COSINE: Scale = { chance: MIN_SIMILARITY, certain: 0.6 };
/** The number of texts checked for the words of the query, as unsealing takes time. */
const READ = 16;
/** The relevance of a memory found along causes only, as a fraction of the best one's. */
const ALONG_CAUSES = 0.5;
/** The maximum number of statements to traverse. */
export const MAX_STATED_CAUSES = 256;

export interface Searched {
  readonly condition: Condition;
  readonly ranked: readonly Ranked[];
  readonly reached: readonly Reached[];
  /** The retrieval methods used, such as `lexical+semantic`. */
  readonly strategy: string;
  /** Whether some memories were not compared. */
  readonly truncated: boolean;
  /** Whether the traversal along causes was cut off. */
  readonly isCut: boolean;
}

interface OtherResults {
  readonly now: number;
  /** Results with a similarity scale of their own. */
  readonly recalled?: Recalled | undefined;
  readonly external?: readonly Similar[] | undefined;
}

export interface Recalled {
  readonly found: readonly Similar[];
  readonly scale: Scale;
}

interface Parts {
  readonly store: MemoryStore;
  readonly text: MemoryText;
  readonly vectors: MemoryVectors;
  readonly causes: CausalStatements;
}

/** Retrieves memories: by words, by similarity, and along causes from the best of these. */
export class MemorySearch {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * `recalled` and `external` replace the local comparison: the network's recall, and an external
   * index.
   */
  search(query: Query, filters: Filters, { now, recalled, external }: OtherResults): Searched {
    const { store } = this.#parts;
    const condition = conditionOf(filters, now);
    const words = this.#parts.text.search(query.terms ?? [], condition, POOL);
    const { seqs: lexical } = words;
    const alike = () =>
      query.vector ? this.#alike(query.vector, { filters, now, condition }) : [];
    const { found: similar, scale } = recalled ?? { found: external ?? alike(), scale: COSINE };
    const semantic = similar.map(({ seq }) => seq);
    const direct = { lexical, semantic, graph: [] };
    const weighed = store.weigh([...lexical, ...semantic], condition);
    const known = this.#relevance(words, similar, scale);
    const first = fuse(direct, weighed, judgement(known, [], filters.asOf));
    const seeds = first.slice(0, SEEDS).map(({ seq }) => seq);
    const own = query.hops > 0 ? this.#parts.causes.ofMemories(seeds, condition) : [];
    const traversal = {
      hops: query.hops,
      direction: 'both',
      condition,
      maxStatements: MAX_STATED_CAUSES,
    } as const;
    const { reached, isCut } = traverse(this.#parts.causes, own, traversal);
    const graph = [...new Set(reached.map(({ statement }) => statement.seq))].slice(0, POOL);
    const all = store.weigh([...lexical, ...semantic, ...graph], condition);
    const along = judgement(known, graph, filters.asOf);
    const isCompared = query.vector !== null && !recalled;
    return {
      ranked: graph.length > 0 ? fuse({ ...direct, graph }, all, along) : first,
      reached,
      condition,
      strategy: strategyOf({
        lexical: query.terms !== null,
        semantic: isCompared,
        associative: recalled !== undefined,
        graph: query.hops > 0,
      }),
      truncated: isCompared && !external && this.#parts.vectors.isPartial,
      isCut,
    };
  }

  /** The relevance of each memory found: by the words it contains, and by its similarity. */
  #relevance(
    { seqs, weights }: FoundByWords,
    similar: readonly Similar[],
    scale: Scale,
  ): ReadonlyMap<number, number> {
    const relevance = new Map(similar.map((one) => [one.seq, scaled(one.similarity, scale)]));
    const coverageOf = coverage(weights);
    const contents = this.#parts.store.contentsOf(seqs.slice(0, READ));
    let least = 1;
    for (const seq of seqs) {
      const content = contents.get(seq);
      // Better matches come first, so the unchecked rest contains no more.
      const covered = content === undefined ? least : coverageOf(content);
      least = Math.min(least, covered);
      relevance.set(seq, either(relevance.get(seq) ?? 0, covered));
    }
    return relevance;
  }

  #alike(
    vector: Int8Array,
    { filters, now, condition }: { filters: Filters; now: number; condition: Condition },
  ): readonly Similar[] {
    const { userId, sessionId, tags = [], asOf } = filters;
    const isNarrow = userId !== undefined || sessionId !== undefined || tags.length > 0;
    const among = isNarrow ? new Set(this.#parts.store.numbers(condition)) : undefined;
    const wanted = { limit: POOL, floor: MIN_SIMILARITY, asOf, now, among };
    return this.#parts.vectors.search(vector, wanted);
  }
}

/** @param alongCauses memories found only along causes */
function judgement(
  known: ReadonlyMap<number, number>,
  alongCauses: readonly number[],
  asOf: number,
): Judgement {
  const least = ALONG_CAUSES * Math.max(0, ...known.values());
  const isAlongCauses = new Set(alongCauses);
  return {
    asOf,
    relevanceOf: (seq) => Math.max(known.get(seq) ?? 0, isAlongCauses.has(seq) ? least : 0),
  };
}

/** The names of the methods used. */
const strategyOf = (parts: Readonly<Record<string, boolean>>): string =>
  Object.entries(parts)
    .flatMap(([name, isUsed]) => (isUsed ? [name] : []))
    .join('+');
