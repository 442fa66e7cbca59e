import type {
  CausalLink,
  CausalNeighbourhood,
  CausalNode,
  CausalPath,
} from '../../../../edge/memory/contract/causal.ts';
import { linkId } from './graph-layout.ts';

/** What is drawn: a neighbourhood, and the way that was asked for. */
export interface ShownGraph {
  readonly nodes: readonly CausalNode[];
  readonly links: readonly CausalLink[];
  readonly truncated: boolean;
  /** Edges of the way. */
  readonly lit: ReadonlySet<string>;
}

/** Puts a way into a neighbourhood, which may end before it does. */
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

/** The nodes of a way, each once; of their other edges nothing is known here. */
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

/** The node that a person means: by its key, by its text, or by a part of that; else the words as they are. */
export function meantNode(nodes: readonly CausalNode[], words: string): string {
  const said = fold(words);
  const exact = nodes.find(({ key, label }) => fold(key) === said || fold(label) === said);
  const within = exact ?? nodes.find(({ label }) => fold(label).includes(said));
  return within?.key ?? words.trim();
}

const fold = (words: string): string => words.normalize('NFKC').toLowerCase().trim();
