import { type CausalGraph, createCausalGraph, type Direction } from '../causal/graph.ts';
import type { CausalNeighbourhood, CausalPath } from './contract/causal.ts';
import { nodeNumber } from './content-key.ts';
import type { MemoryCauses } from './causes.ts';
import { conditionOf } from './condition.ts';
import { complete, type Course, follow, storedEdge } from './follow.ts';

/** Statements that a drawing or a way is made of at most. */
const MOST_SAID = 5_000;
/** Where nobody says what to begin with, it is what these statements name, the most confident. */
const STRONGEST = 50;

export interface GraphRange {
  readonly nodes: readonly string[];
  readonly hops: number;
  readonly direction: Direction;
  /** Nodes that are shown at most. */
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

/** What memories say of causes, as a graph: the part of it that is asked for is read from the store. */
export class MemoryGraph {
  readonly #causes: MemoryCauses;

  constructor(causes: MemoryCauses) {
    this.#causes = causes;
  }

  /** What lies around some nodes; around the most confident edges where none is named. */
  neighbourhood({ nodes, hops, direction, limit, asOf }: GraphRange): CausalNeighbourhood {
    const meant = conditionOf({ asOf }, Date.now());
    const strongest = nodes.length > 0 ? [] : this.#causes.all(meant, STRONGEST);
    const seeds = [
      ...nodes,
      ...this.#causes.said(strongest).flatMap(({ cause, effect }) => [cause, effect]),
    ];
    // One step more, as each node tells how many edges it has.
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
    const first = this.#causes.around(numbers, { way, meant, limit: MOST_SAID });
    const limits = { ...course, most: MOST_SAID };
    const followed = follow(this.#causes, first, limits);
    const { reached, isCut } = complete(this.#causes, followed, limits);
    const said = this.#causes.said(reached.map(({ stated }) => stated));
    return { graph: createCausalGraph(said.map(storedEdge)), isCut };
  }
}
