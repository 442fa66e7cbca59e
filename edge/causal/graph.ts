import {
  MAX_CAUSAL_HOPS,
  MAX_CAUSAL_NODES,
  type CausalEdge,
  type CausalLink,
  type CausalNeighbourhood,
  type CausalNode,
  type CausalPath,
} from '../memory/contract/causal.ts';
import { compare, corroborate, type KeyedEdge, nodeKey, type StoredEdge } from './corroboration.ts';

export { nodeKey } from './corroboration.ts';
export type { StoredEdge } from './corroboration.ts';

/**
 * The direction of a traversal: to effects, to causes, or both; correlations are followed either
 * way.
 */
export type Direction = 'effects' | 'causes' | 'both';

interface NeighbourhoodQuery {
  /** 0 is the nodes themselves; at most MAX_CAUSAL_HOPS. */
  readonly hops: number;
  readonly direction?: Direction;
  /** At most this many nodes, and never more than MAX_CAUSAL_NODES. */
  readonly nodes?: number;
}

export interface CausalGraph {
  /** Every edge, the most confident first. */
  readonly edges: readonly CausalEdge[];
  /** The neighbourhood of nodes, named by any of their texts; unknown ones are left out. */
  neighbourhood(texts: readonly string[], query: NeighbourhoodQuery): CausalNeighbourhood;
  /**
   * The shortest path from a cause to an effect; from a node to itself, the shortest cycle through
   * it.
   */
  path(cause: string, effect: string, hops?: number): CausalPath;
}

/** The causal graph of some statements, independent of their order. */
export function createCausalGraph(stored: Iterable<StoredEdge>): CausalGraph {
  const keyed = corroborate(stored).toSorted(byConfidence);
  const index = indexOf(keyed);
  return {
    edges: keyed.map(({ edge }) => edge),
    neighbourhood: (texts, query) => neighbourhood(index, texts.map(nodeKey), query),
    path: (cause, effect, hops = MAX_CAUSAL_HOPS) =>
      shortestPath(index, { from: nodeKey(cause), to: nodeKey(effect), hops }),
  };
}

const byConfidence = (a: KeyedEdge, b: KeyedEdge) =>
  b.edge.confidence - a.edge.confidence ||
  compare(a.from, b.from) ||
  compare(a.to, b.to) ||
  compare(a.edge.relation, b.edge.relation);

/** Edges by either end, the most confident first. */
interface Index {
  readonly outgoing: ReadonlyMap<string, readonly KeyedEdge[]>;
  readonly incoming: ReadonlyMap<string, readonly KeyedEdge[]>;
}

function indexOf(edges: readonly KeyedEdge[]): Index {
  return {
    outgoing: Map.groupBy(edges, ({ from }) => from),
    incoming: Map.groupBy(edges, ({ to }) => to),
  };
}

function neighbourhood(
  index: Index,
  seeds: readonly string[],
  { hops, direction = 'both', nodes = MAX_CAUSAL_NODES }: NeighbourhoodQuery,
): CausalNeighbourhood {
  const limit = Math.min(nodes, MAX_CAUSAL_NODES);
  const known = [...new Set(seeds)].filter((key) => isKnown(index, key)).toSorted(compare);
  const depth = new Map(known.slice(0, limit).map((key) => [key, 0]));
  let truncated = known.length > limit;
  let frontier = [...depth.keys()];
  for (let hop = 1; hop <= Math.min(hops, MAX_CAUSAL_HOPS) && frontier.length > 0; hop++) {
    const found = nextNodes(index, frontier, direction).filter((key) => !depth.has(key));
    truncated ||= found.length > limit - depth.size;
    frontier = found.slice(0, limit - depth.size);
    for (const key of frontier) depth.set(key, hop);
  }
  return { nodes: nodesOf(index, depth), links: linksOf(index, depth), truncated };
}

const isKnown = ({ outgoing, incoming }: Index, key: string) =>
  outgoing.has(key) || incoming.has(key);

/** The neighbours of some nodes, each once, that of the most confident edge first. */
function nextNodes(index: Index, frontier: readonly string[], direction: Direction): string[] {
  const steps = frontier.flatMap((key) => stepsFrom(index, key, direction));
  const ranked = steps.toSorted((a, b) => b.confidence - a.confidence || compare(a.key, b.key));
  return [...new Set(ranked.map(({ key }) => key))];
}

function stepsFrom({ outgoing, incoming }: Index, key: string, direction: Direction) {
  const follows = (wanted: Direction, { edge }: KeyedEdge) =>
    direction === 'both' || direction === wanted || edge.relation === 'correlates';
  const out = (outgoing.get(key) ?? []).filter((edge) => follows('effects', edge));
  const back = (incoming.get(key) ?? []).filter((edge) => follows('causes', edge));
  return [
    ...out.map(({ to, edge }) => ({ key: to, confidence: edge.confidence })),
    ...back.map(({ from, edge }) => ({ key: from, confidence: edge.confidence })),
  ];
}

function nodesOf(index: Index, depth: ReadonlyMap<string, number>): CausalNode[] {
  const nodes = Array.from(depth, ([key, hops]) => ({
    key,
    label: labelOf(index, key),
    incoming: index.incoming.get(key)?.length ?? 0,
    outgoing: index.outgoing.get(key)?.length ?? 0,
    hops,
  }));
  return nodes.toSorted((a, b) => a.hops - b.hops || compare(a.key, b.key));
}

function labelOf({ outgoing, incoming }: Index, key: string): string {
  const asCause = outgoing.get(key)?.[0];
  const asEffect = incoming.get(key)?.[0];
  if (!asCause) return asEffect?.edge.effect ?? key;
  if (!asEffect || byConfidence(asCause, asEffect) <= 0) return asCause.edge.cause;
  return asEffect.edge.effect;
}

function linksOf({ outgoing }: Index, within: ReadonlyMap<string, number>): CausalLink[] {
  return [...within.keys()]
    .flatMap((key) => outgoing.get(key) ?? [])
    .filter(({ to }) => within.has(to))
    .toSorted(byConfidence)
    .map(linkOf);
}

const linkOf = ({ from, to, edge }: KeyedEdge): CausalLink => ({ ...edge, from, to });

interface PathQuery {
  readonly from: string;
  readonly to: string;
  readonly hops: number;
}

/** How a node is reached in the fewest steps, by the most confident of such paths. */
interface Reached {
  readonly confidence: number;
  readonly last: KeyedEdge;
  readonly before: Reached | undefined;
}

/** Breadth first; correlations are skipped, as they have no direction. */
function shortestPath(index: Index, { from, to, hops }: PathQuery): CausalPath {
  const seen = new Set<string>();
  let level = new Map<string, Reached | undefined>([[from, undefined]]);
  for (let hop = 1; hop <= Math.min(hops, MAX_CAUSAL_HOPS) && level.size > 0; hop++) {
    const next = nextLevel(index, level);
    for (const key of seen) next.delete(key);
    const arrived = next.get(to);
    if (arrived) return pathOf(arrived);
    for (const key of next.keys()) seen.add(key);
    level = next;
  }
  return { links: [], confidence: 0 };
}

function nextLevel(
  index: Index,
  level: ReadonlyMap<string, Reached | undefined>,
): Map<string, Reached> {
  const next = new Map<string, Reached>();
  for (const [key, before] of level) {
    for (const last of index.outgoing.get(key) ?? []) {
      if (last.edge.relation === 'correlates') continue;
      const confidence = (before?.confidence ?? 1) * last.edge.confidence;
      const reached = { confidence, last, before };
      if (isBetter(reached, next.get(last.to))) next.set(last.to, reached);
    }
  }
  return next;
}

function isBetter(reached: Reached, known: Reached | undefined): boolean {
  if (!known || reached.confidence !== known.confidence) {
    return reached.confidence > (known?.confidence ?? -1);
  }
  return byConfidence(reached.last, known.last) < 0;
}

function pathOf(arrived: Reached): CausalPath {
  const links: CausalLink[] = [];
  for (let at: Reached | undefined = arrived; at; at = at.before) links.unshift(linkOf(at.last));
  return { links, confidence: arrived.confidence };
}
