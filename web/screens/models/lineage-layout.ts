import { sortLayers } from '../../records/sort-layers.ts';
import type { Lineage, LineageEdge, LineageNode } from '../../../edge/registry/contract/lineage.ts';

/** Sizes in px. */
export const NODE = { width: 184, height: 60, gapX: 56, gapY: 20 } as const;

interface PlacedNode {
  readonly node: LineageNode;
  readonly x: number;
  readonly y: number;
}

interface PlacedEdge {
  readonly edge: LineageEdge;
  /** A curve from source to product, as SVG path data. */
  readonly path: string;
}

interface LineagePicture {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** Gap between the versions and their datasets, jobs and specifications. */
const BAND_GAP = 40;
const ROW = NODE.height + NODE.gapY;

interface Column {
  readonly versions: readonly LineageNode[];
  readonly things: readonly LineageNode[];
}

/**
 * A column for each generation, time running to the right: the versions above, and below them what
 * the first of them that used it was made on, by or with.
 */
export function layOutLineage({ nodes, edges }: Lineage): LineagePicture {
  const columns = sortColumns(columnsOf(nodes, edges), edges);
  const most = (of: (column: Column) => number) => Math.max(0, ...columns.map(of));
  const upper = most(({ versions }) => versions.length) * ROW;
  const lower = most(({ things }) => things.length) * ROW;
  const placed = columns.flatMap(({ versions, things }, index) => {
    const x = index * (NODE.width + NODE.gapX);
    const top = (upper - versions.length * ROW) / 2;
    return [
      ...versions.map((node, row) => ({ node, x, y: top + row * ROW })),
      ...things.map((node, row) => ({ node, x, y: upper + BAND_GAP + row * ROW })),
    ];
  });
  const byId = new Map(placed.map((place) => [place.node.id, place]));
  return {
    width: columns.length * (NODE.width + NODE.gapX) - NODE.gapX,
    height: upper + (lower === 0 ? 0 : BAND_GAP + lower) - NODE.gapY,
    nodes: placed,
    edges: edges.flatMap((edge) => {
      // `source` was made from `target`: time runs from the target to the source.
      const [from, to] = [byId.get(edge.target), byId.get(edge.source)];
      return from && to ? [{ edge, path: curve(from, to) }] : [];
    }),
  };
}

function columnsOf(nodes: readonly LineageNode[], edges: readonly LineageEdge[]): Column[] {
  const generations = new Map(nodes.map(({ id, generation }) => [id, generation]));
  const columnOf = ({ id, kind, generation }: LineageNode) => {
    if (kind === 'version') return generation;
    const users = edges.flatMap(({ source, target }) =>
      target === id ? [generations.get(source) ?? generation] : [],
    );
    return Math.min(generation, ...users);
  };
  return [...Map.groupBy(nodes, columnOf)]
    .toSorted(([a], [b]) => a - b)
    .map(([, column]) => ({
      versions: column.filter(({ kind }) => kind === 'version'),
      things: column.filter(({ kind }) => kind !== 'version'),
    }));
}

/** Sorts both bands of all columns. */
function sortColumns(columns: readonly Column[], edges: readonly LineageEdge[]): readonly Column[] {
  const bands = columns.flatMap(({ versions, things }) => [versions, things]);
  const sorted = sortLayers(
    bands,
    ({ id }) => id,
    edges.map(({ source, target }) => [source, target]),
  );
  return columns.map((_, index) => ({
    versions: sorted[2 * index] ?? [],
    things: sorted[2 * index + 1] ?? [],
  }));
}

function curve(from: PlacedNode, to: PlacedNode): string {
  const [y1, y2] = [from.y + NODE.height / 2, to.y + NODE.height / 2];
  const bend = NODE.gapX / 2;
  // Within a column around the left side; forward from side to side; a cycle goes back on the right.
  if (from.x === to.x) {
    return `M${from.x} ${y1}C${from.x - bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}`;
  }
  const x1 = from.x + NODE.width;
  const x2 = to.x > from.x ? to.x : to.x + NODE.width;
  const reach = to.x > from.x ? (x2 - x1) / 2 : -bend;
  const depart = Math.max(bend, reach);
  return `M${x1} ${y1}C${x1 + depart} ${y1} ${x2 - reach} ${y2} ${x2} ${y2}`;
}
