import {
  type CausalGraph,
  createCausalGraph,
  type Direction,
  type StoredEdge,
} from '../causal/graph.ts';
import { nodeKey } from '../causal/corroboration.ts';
import type { CausalStatements, Said, Stated, Way } from './causes.ts';
import type { CausalNeighbourhood, CausalPath } from './contract/causal.ts';
import type { FoundCausalNode } from './contract/graph.ts';
import { type Condition, conditionOf } from './records.ts';
import { nodeNumber } from './sealing.ts';
import type { MemoryText } from './text-index.ts';

/** A statement of a cause, and the step in which it was reached, from 1. */
export interface Reached {
  readonly stated: Stated;
  readonly hop: number;
}

export interface Followed {
  readonly reached: readonly Reached[];
  /** Whether there are more than `most`. */
  readonly isCut: boolean;
}

export interface Course {
  readonly hops: number;
  readonly way: Way;
  readonly meant: Condition;
  /** The maximum number of statements. */
  readonly most: number;
}

/** Traverses the graph from statements to others about their causes and effects, breadth first. */
export function follow(
  causes: CausalStatements,
  first: readonly Stated[],
  { hops, way, meant, most }: Course,
): Followed {
  const reached = new Map<number, Reached>();
  const nodes = new Set<number>();
  let found = hops > 0 ? first : [];
  let isCut = found.length >= most;
  for (let hop = 1; found.length > 0; hop++) {
    note(reached, found, hop);
    const ends = found.flatMap((stated) => endsOf(stated, way));
    const fresh = [...new Set(ends)].filter((node) => !nodes.has(node));
    for (const node of fresh) nodes.add(node);
    found = hop < hops && !isCut ? causes.around(fresh, { way, meant, limit: most }) : [];
    isCut ||= found.length >= most;
  }
  return { reached: [...reached.values()].slice(0, most), isCut };
}

/**
 * Adds the other statements about the same pairs of nodes, so that what was reached is as
 * certain, and as contested, as in the whole graph.
 */
export function complete(
  causes: CausalStatements,
  { reached, isCut }: Followed,
  { meant, most }: Pick<Course, 'meant' | 'most'>,
): Followed {
  const hopOf = new Map(reached.map(({ stated, hop }) => [pairOf(stated), hop]));
  const all = new Map(reached.map((one) => [one.stated.causeNo, one]));
  const nodes = new Set(reached.flatMap(({ stated }) => endsOf(stated, 'both')));
  for (const stated of causes.between([...nodes], meant, most)) {
    const hop = hopOf.get(pairOf(stated));
    if (hop !== undefined) note(all, [stated], hop);
  }
  return { reached: [...all.values()], isCut: isCut || all.size >= 2 * most };
}

/** The first step in which a statement is reached counts. */
function note(reached: Map<number, Reached>, found: readonly Stated[], hop: number): void {
  for (const stated of found) {
    if (!reached.has(stated.causeNo)) reached.set(stated.causeNo, { stated, hop });
  }
}

const endsOf = ({ causeNode, effectNode }: Stated, way: Way): readonly number[] =>
  way === 'effects' ? [effectNode] : [causeNode, effectNode];

/** Equal for statements about the same two nodes, in either order. */
const pairOf = ({ causeNode, effectNode }: Stated): string =>
  [causeNode, effectNode].toSorted((a, b) => a - b).join(' ');

/** A statement in the form of the graph. */
export const storedEdge = (said: Said): StoredEdge => ({
  memory_id: said.memoryId,
  cause: said.cause,
  effect: said.effect,
  relation: said.relation,
  confidence: said.confidence,
  evidence: said.evidence,
  language: said.language,
  pattern: said.pattern,
  cue: said.cue,
  valid_at: new Date(said.validAt).toISOString(),
  invalid_at: said.invalidAt === null ? null : new Date(said.invalidAt).toISOString(),
});

/** The maximum number of statements in a neighbourhood or a path. */
const MAX_GRAPH_STATEMENTS = 5_000;
/** Without seeds, the nodes of this many of the most confident statements are used. */
const STRONGEST = 50;

export interface GraphRange {
  readonly nodes: readonly string[];
  readonly hops: number;
  readonly direction: Direction;
  /** The maximum number of nodes shown. */
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

export interface PathRange {
  readonly from: string;
  readonly to: string;
  readonly hops: number;
  readonly asOf: number;
}

/** The causal graph of the memories, of which only the requested part is read from the store. */
export class CausalGraphReader {
  readonly #causes: CausalStatements;

  constructor(causes: CausalStatements) {
    this.#causes = causes;
  }

  /** The neighbourhood of some nodes; of the most confident edges where none is named. */
  neighbourhood({ nodes, hops, direction, limit, asOf }: GraphRange): CausalNeighbourhood {
    const meant = conditionOf({ asOf }, Date.now());
    const strongest = nodes.length > 0 ? [] : this.#causes.all(meant, STRONGEST);
    const seeds = [
      ...nodes,
      ...this.#causes.said(strongest).flatMap(({ cause, effect }) => [cause, effect]),
    ];
    // One step more, as each node reports the number of its edges.
    const { graph, isCut } = this.#graph(seeds, { hops: hops + 1, way: 'both', meant });
    const found = graph.neighbourhood(seeds, { hops, direction, nodes: limit });
    return { ...found, truncated: found.truncated || isCut };
  }

  path({ from, to, hops, asOf }: PathRange): CausalPath {
    const meant = conditionOf({ asOf }, Date.now());
    const { graph } = this.#graph([from], { hops, way: 'effects', meant });
    return graph.path(from, to, hops);
  }

  #graph(
    seeds: readonly string[],
    course: Omit<Course, 'most'>,
  ): { readonly graph: CausalGraph; readonly isCut: boolean } {
    const { way, meant } = course;
    const numbers = [...new Set(seeds.map(nodeNumber))];
    const first = this.#causes.around(numbers, { way, meant, limit: MAX_GRAPH_STATEMENTS });
    const limits = { ...course, most: MAX_GRAPH_STATEMENTS };
    const followed = follow(this.#causes, first, limits);
    const { reached, isCut } = complete(this.#causes, followed, limits);
    const said = this.#causes.said(reached.map(({ stated }) => stated));
    return { graph: createCausalGraph(said.map(storedEdge)), isCut };
  }
}

/** The maximum number of matching memories to read for nodes. */
const MAX_MEMORIES = 200;
/** The maximum number of their statements to read, the most confident first. */
const MAX_NODE_STATEMENTS = 2_000;

export interface NodeRange {
  /** Terms as in the text index. */
  readonly terms: readonly string[];
  readonly limit: number;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

interface Candidate extends FoundCausalNode {
  /** The number of terms it contains. */
  readonly held: number;
}

/** Finds causes and effects by their words: the text index narrows down the memories. */
export class CausalNodeSearch {
  readonly #parts: { readonly text: MemoryText; readonly causes: CausalStatements };

  constructor(parts: { readonly text: MemoryText; readonly causes: CausalStatements }) {
    this.#parts = parts;
  }

  /** By the number of terms contained, then of statements, then the shortest. */
  search({ terms, limit, asOf }: NodeRange): readonly FoundCausalNode[] {
    const { text, causes } = this.#parts;
    const meant = conditionOf({ asOf }, Date.now());
    const stated = causes.ofMemories(text.search(terms, meant, MAX_MEMORIES).seqs, meant);
    const found = new Map<string, Candidate>();
    for (const { cause, effect } of causes.said(stated.slice(0, MAX_NODE_STATEMENTS))) {
      for (const label of [cause, effect]) {
        const key = nodeKey(label);
        const known = found.get(key);
        const held = known?.held ?? terms.filter((term) => key.includes(term)).length;
        const statements = (known?.statements ?? 0) + 1;
        if (held > 0) found.set(key, { key, label: known?.label ?? label, statements, held });
      }
    }
    return [...found.values()]
      .toSorted(byFit)
      .slice(0, limit)
      .map(({ key, label, statements }) => ({ key, label, statements }));
  }
}

const byFit = (a: Candidate, b: Candidate) =>
  b.held - a.held ||
  b.statements - a.statements ||
  a.key.length - b.key.length ||
  (a.key < b.key ? -1 : 1);
