import { type NirNode, type PrimitiveName, primitives } from './graph.ts';
import type { NirFile } from './graph-file.ts';
import { text, type TreeEntry, type TreeGroup } from './tree.ts';

/** The version of the published package whose layout of files this writes. */
export const NIR_VERSION = '1.0.7';

/** What a NIR file of this graph holds; `readNir` gives the same graph back. */
export function writeNir({ version, graph }: NirFile): TreeGroup {
  return new Map<string, TreeEntry>([
    ['version', text(version)],
    ['node', writeNode(graph)],
  ]);
}

function writeNode(node: NirNode): TreeGroup {
  const entries: (readonly [string, TreeEntry])[] = [['type', text(node.type)]];
  if (node.type === 'NIRGraph') {
    const nodes = [...node.nodes].map(([name, inner]) => [name, writeNode(inner)] as const);
    const edges = { shape: [node.edges.length, 2], texts: node.edges.flat() };
    entries.push(['nodes', new Map(nodes)], ['edges', edges]);
  } else entries.push(...writeFields(node.type, { ...node }));
  if (node.metadata) entries.push(['metadata', node.metadata]);
  return new Map(entries);
}

function writeFields(
  type: PrimitiveName,
  node: Readonly<Record<string, unknown>>,
): (readonly [string, TreeEntry])[] {
  return Object.keys(primitives[type]).flatMap((name) => {
    const value = node[name];
    return value === undefined ? [] : [[name, writeValue(value)] as const];
  });
}

function writeValue(value: unknown): TreeEntry {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return { shape: [], data: BigInt64Array.of(BigInt(value)) };
  if (!Array.isArray(value)) return value as TreeEntry;
  return { shape: [value.length], data: BigInt64Array.from(value as number[], BigInt) };
}
