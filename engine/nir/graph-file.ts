import { EngineError } from '../errors.ts';
import {
  type FieldKind,
  isTextSet,
  isTreeGroup,
  type NirEdge,
  type NirGraph,
  type NirNode,
  type NirTensor,
  type NumberSet,
  type PrimitiveName,
  primitiveNames,
  primitives,
  text,
  type TreeEntry,
  type TreeGroup,
} from './graph.ts';

/** Fields allowed for every primitive. Types are implied by the other fields. */
const BESIDE = new Set(['type', 'metadata', 'input_type', 'output_type']);
const DEEPEST = 32;
const MAX_NODES = 10_000;

/** A graph as a file holds it, with the version of the package that wrote it. */
export interface NirFile {
  readonly version: string;
  readonly graph: NirGraph;
}

/**
 * Reads the content of a NIR file. Throws EngineError `invalid-structure` that names the node, the field and
 * what was expected. `planNir` checks that the network is consistent.
 */
export function readNir(root: TreeGroup): NirFile {
  const version = root.get('version');
  const node = root.get('node');
  if (!node || !isTreeGroup(node)) {
    refuse(`the file has no group "node": expected a NIR graph, found ${listOf([...root.keys()])}`);
  }
  const graph = readNode('node', node, 0);
  if (graph.type !== 'NIRGraph') refuse(`node is ${graph.type}: expected NIRGraph`);
  return { version: version ? readText('version', version) : '', graph };
}

function readNode(path: string, entry: TreeEntry, depth: number): NirNode {
  if (!isTreeGroup(entry)) refuse(`${path} is a data set: expected a group with a type`);
  if (depth > DEEPEST) refuse(`${path}: graphs are nested more than ${DEEPEST} deep`);
  const typeEntry = entry.get('type');
  if (!typeEntry) refuse(`${path} has no type`);
  const type = readText(`${path} type`, typeEntry);
  if (type === 'NIRGraph') return readGraph(path, entry, depth);
  if (!isPrimitive(type)) {
    refuse(
      `${path} has the type ${JSON.stringify(type)}: expected NIRGraph, ${primitiveNames.join(', ')}`,
    );
  }
  return readPrimitive(`${path} (${type})`, type, entry);
}

function readGraph(path: string, group: TreeGroup, depth: number): NirGraph {
  const nodes = group.get('nodes');
  const edges = group.get('edges');
  if (!nodes || !isTreeGroup(nodes)) refuse(`${path} (NIRGraph) has no group "nodes"`);
  if (!edges) refuse(`${path} (NIRGraph) has no edges`);
  if (nodes.size > MAX_NODES) refuse(`${path} has ${nodes.size} nodes: at most ${MAX_NODES}`);
  const read = [...nodes].map(
    ([name, node]) => [name, readNode(nameOf(path, name), node, depth + 1)] as const,
  );
  return {
    type: 'NIRGraph',
    nodes: new Map(read),
    edges: readEdges(path, edges),
    ...readMetadata(path, group),
  };
}

function nameOf(path: string, name: string): string {
  return path === 'node' ? name : `${path}.${name}`;
}

function readEdges(path: string, entry: TreeEntry): NirEdge[] {
  // A list without edges has no type: it is stored as numbers.
  if (!isTreeGroup(entry) && !isTextSet(entry) && entry.data.length === 0) return [];
  const [, ends] = isTreeGroup(entry) ? [] : entry.shape;
  if (isTreeGroup(entry) || !isTextSet(entry) || ends !== 2 || entry.shape.length !== 2) {
    refuse(`${path}: edges are ${describe(entry)}: expected pairs of names, text[n, 2]`);
  }
  return Array.from({ length: entry.texts.length / 2 }, (_, i) => {
    const [source = '', target = ''] = entry.texts.slice(2 * i, 2 * i + 2);
    return [source, target] as const;
  });
}

function isPrimitive(type: string): type is PrimitiveName {
  return Object.hasOwn(primitives, type);
}

function readPrimitive(path: string, type: PrimitiveName, group: TreeGroup): NirNode {
  const kinds = new Map<string, string>(Object.entries(primitives[type]));
  for (const name of group.keys()) {
    if (kinds.has(name) || BESIDE.has(name)) continue;
    refuse(`${path} has a field ${JSON.stringify(name)}: expected ${listOf([...kinds.keys()])}`);
  }
  const fields = [...kinds].flatMap(([name, kind]) => {
    const entry = group.get(name);
    if (entry) return [[name, readField(`${path}: ${name}`, kind, entry)] as const];
    if (kind.endsWith('?')) return [];
    refuse(`${path} has no ${name}`);
  });
  // The table gives each field the type that its kind is read as.
  return { type, ...Object.fromEntries(fields), ...readMetadata(path, group) } as NirNode;
}

function readMetadata(path: string, group: TreeGroup): { metadata?: TreeGroup } {
  const metadata = group.get('metadata');
  if (!metadata) return {};
  if (!isTreeGroup(metadata))
    refuse(`${path}: metadata is ${describe(metadata)}: expected a group`);
  return { metadata };
}

function readField(where: string, kind: string, entry: TreeEntry): unknown {
  const readers: Readonly<Record<FieldKind, (where: string, entry: TreeEntry) => unknown>> = {
    tensor: readTensor,
    number: readNumber,
    pair: readPair,
    shape: readShape,
    padding: (at, value) => readPadding(at, value, readNumber),
    pairPadding: (at, value) => readPadding(at, value, readPair),
  };
  return readers[kind.replace('?', '') as FieldKind](where, entry);
}

function readTensor(where: string, entry: TreeEntry): NirTensor {
  const { shape, data } = numbersOf(where, entry);
  const isFloat = data instanceof Float32Array || data instanceof Float64Array;
  const floats = isFloat ? data : Float64Array.from(data as ArrayLike<number>, Number);
  return { shape, data: floats };
}

function readNumber(where: string, entry: TreeEntry): number {
  const values = wholeNumbers(where, entry);
  if (values.length === 1) return values[0] ?? 0;
  refuse(`${where} has ${values.length} numbers: expected 1`);
}

function readPair(where: string, entry: TreeEntry): readonly [number, number] {
  const values = wholeNumbers(where, entry);
  const [first = 0, second = first] = values;
  if (values.length === 1 || values.length === 2) return [first, second];
  refuse(`${where} has ${values.length} numbers: expected 1 or 2`);
}

function readShape(where: string, entry: TreeEntry): readonly number[] {
  const shape = wholeNumbers(where, entry);
  const odd = shape.find((axis) => axis < 1);
  if (odd === undefined) return shape;
  refuse(`${where} is [${shape.join(', ')}]: expected axes of 1 or more`);
}

function readPadding(
  where: string,
  entry: TreeEntry,
  otherwise: (where: string, entry: TreeEntry) => unknown,
): unknown {
  if (!isTextSet(entry)) return otherwise(where, entry);
  const padding = readText(where, entry);
  if (padding === 'same' || padding === 'valid') return padding;
  refuse(`${where} is ${JSON.stringify(padding)}: expected same, valid or numbers`);
}

function wholeNumbers(where: string, entry: TreeEntry): number[] {
  const { data } = numbersOf(where, entry);
  return Array.from(data as ArrayLike<number | bigint>, (value) => {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    refuse(`${where} is ${value}: expected a whole number`);
  });
}

function numbersOf(where: string, entry: TreeEntry): NumberSet {
  if (isTreeGroup(entry) || isTextSet(entry))
    refuse(`${where} is ${describe(entry)}: expected numbers`);
  return entry;
}

function readText(where: string, entry: TreeEntry): string {
  if (!isTreeGroup(entry) && isTextSet(entry) && entry.texts.length === 1)
    return entry.texts[0] ?? '';
  refuse(`${where} is ${describe(entry)}: expected a text`);
}

function describe(entry: TreeEntry): string {
  if (isTreeGroup(entry)) return 'a group';
  const kind = isTextSet(entry) ? 'text' : 'numbers';
  return `${kind}[${entry.shape.join(', ')}]`;
}

function listOf(names: readonly string[]): string {
  return names.join(', ') || 'nothing';
}

function refuse(message: string): never {
  throw new EngineError('invalid-structure', `NIR: ${message}`);
}

/** The version of the published package whose layout of files this writes. */
export const NIR_VERSION = '1.0.7';

/** The content of a NIR file of this graph, from which `readNir` restores it. */
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
