import { EngineError } from '../errors.ts';
import type { NirEdge, NirGraph, NirPrimitive } from './graph.ts';

/** A node of a graph without graphs in it; nested names are joined by dots. */
export interface FlatNode {
  readonly name: string;
  readonly node: NirPrimitive;
  /** Whether an Input or Output belongs to a nested graph, where it passes its input on. */
  readonly isInner: boolean;
}

export interface FlatGraph {
  readonly nodes: ReadonlyMap<string, FlatNode>;
  /** Each once, in the order of the file. */
  readonly edges: readonly NirEdge[];
}

/**
 * Inlines nested graphs: edges into one lead to its Input, edges out of it come from its Output. Throws
 * EngineError `invalid-structure` for edges to missing nodes, for duplicate names and for nested graphs
 * without exactly one Input or Output.
 */
export function flattenGraph(graph: NirGraph): FlatGraph {
  const nodes = new Map<string, FlatNode>();
  const edges = new Map<string, NirEdge>();
  open(graph, '', { nodes, edges });
  const all = [...nodes.values()].filter(({ isInner }) => !isInner);
  for (const type of ['Input', 'Output'] as const) {
    if (!all.some(({ node }) => node.type === type)) refuse(`the graph has no ${type}`);
  }
  for (const [source, target] of edges.values()) {
    if (isEnd(nodes, target, 'Input')) refuse(`${source} leads to the Input ${target}`);
    if (isEnd(nodes, source, 'Output')) refuse(`the Output ${source} leads to ${target}`);
  }
  return { nodes, edges: [...edges.values()] };
}

interface Opened {
  readonly nodes: Map<string, FlatNode>;
  readonly edges: Map<string, NirEdge>;
}

function open(graph: NirGraph, prefix: string, into: Opened): void {
  const isInner = prefix !== '';
  for (const [name, node] of graph.nodes) {
    const path = prefix + name;
    if (node.type === 'NIRGraph') open(node, `${path}.`, into);
    else if (into.nodes.has(path)) refuse(`two nodes are named ${path}`);
    else into.nodes.set(path, { name: path, node, isInner });
  }
  for (const [source, target] of graph.edges) {
    for (const end of [source, target]) {
      if (graph.nodes.has(end)) continue;
      refuse(
        `the edge from ${prefix}${source} to ${prefix}${target}: there is no node ${prefix}${end}`,
      );
    }
    const edge = [
      endOf(graph, prefix, source, 'Output'),
      endOf(graph, prefix, target, 'Input'),
    ] as const;
    into.edges.set(JSON.stringify(edge), edge);
  }
}

/** The node that an edge means: of a nested graph its only Input or Output. */
function endOf(graph: NirGraph, prefix: string, name: string, side: 'Input' | 'Output'): string {
  const node = graph.nodes.get(name);
  const path = prefix + name;
  if (node?.type !== 'NIRGraph') return path;
  const ends = [...node.nodes].filter(([, { type }]) => type === side);
  const [end] = ends;
  if (end && ends.length === 1) return `${path}.${end[0]}`;
  refuse(`the nested graph ${path} has ${ends.length} nodes of type ${side}: expected 1`);
}

function isEnd(nodes: Opened['nodes'], name: string, type: 'Input' | 'Output'): boolean {
  const found = nodes.get(name);
  return found !== undefined && !found.isInner && found.node.type === type;
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `NIR: ${message}`);
}
