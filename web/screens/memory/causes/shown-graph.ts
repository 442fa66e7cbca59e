import type {
  CausalLink,
  CausalNeighbourhood,
  CausalNode,
  CausalPath,
} from '../../../../edge/memory/contract/causal.ts';
import { linkId } from './graph-layout.ts';

/** The graph shown: a neighbourhood and the requested path. */
export interface ShownGraph {
  readonly nodes: readonly CausalNode[];
  readonly links: readonly CausalLink[];
  readonly truncated: boolean;
  /** Edges of the path. */
  readonly lit: ReadonlySet<string>;
}

/** Adds a path to a neighbourhood that may not contain it. */
export function withPath(
  { nodes, links, truncated }: CausalNeighbourhood,
  path: CausalPath | undefined,
): ShownGraph {
  const known = new Set(nodes.map(({ key }) => key));
  const has = new Set(links.map(linkId));
  const way = path?.links ?? [];
  return {
    nodes: [...nodes, ...nodesOf(way).filter(({ key }) => !known.has(key))],
    links: [...links, ...way.filter((link) => !has.has(linkId(link)))],
    truncated,
    lit: new Set(way.map(linkId)),
  };
}

/** The distinct nodes of a path; their other edges are unknown here. */
function nodesOf(way: readonly CausalLink[]): readonly CausalNode[] {
  const ends = way.flatMap(({ from, to, cause, effect }) => [
    { key: from, label: cause },
    { key: to, label: effect },
  ]);
  return [...new Map(ends.map((end) => [end.key, end])).values()].map(({ key, label }) => ({
    key,
    label,
    incoming: way.filter(({ to }) => to === key).length,
    outgoing: way.filter(({ from }) => from === key).length,
    hops: 0,
  }));
}

/** Finds a node by key, label or part of its label; else returns the words. */
export function meantNode(nodes: readonly CausalNode[], words: string): string {
  const said = fold(words);
  const exact = nodes.find(({ key, label }) => fold(key) === said || fold(label) === said);
  const within = exact ?? nodes.find(({ label }) => fold(label).includes(said));
  return within?.key ?? words.trim();
}

const fold = (words: string): string => words.normalize('NFKC').toLowerCase().trim();
