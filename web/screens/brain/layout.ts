import type { NodeInfo, Topology, TopologyEdge } from '../../../edge/discovery/contract/node.ts';

/** In px. */
export const NODE = { width: 168, height: 44 } as const;
const STEP = { x: 232, y: 56 } as const;
/** Room for the name of a type above a column, and for that of a region above a band. */
const HEAD = 32;
const BAND_HEAD = 28;
const MARGIN = 16;

/** Where a node lies: its upper left corner. */
export interface Placed {
  readonly node: NodeInfo;
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Placed[];
  readonly columns: readonly { readonly type: string; readonly x: number }[];
  readonly bands: readonly {
    readonly region: string;
    readonly y: number;
    readonly height: number;
  }[];
}

/** The PFC left, a column for each other type of module, and a band for each region. */
export function layoutOf(nodes: readonly NodeInfo[]): Layout {
  const types = [...new Set(nodes.map(({ module_type: type }) => type))].toSorted(byType);
  const regions = [...new Set(nodes.map(({ region_id: region }) => region))].toSorted();
  const bands: { region: string; y: number; height: number }[] = [];
  const placed: Placed[] = [];
  let y = HEAD;
  for (const region of regions) {
    const cells = types.map((type) => nodesIn(nodes, region, type));
    const rows = Math.max(...cells.map(({ length }) => length));
    const height = BAND_HEAD + rows * STEP.y;
    for (const [column, cell] of cells.entries()) {
      const x = MARGIN + column * STEP.x;
      cell.forEach((node, row) => placed.push({ node, x, y: y + BAND_HEAD + row * STEP.y }));
    }
    bands.push({ region, y, height });
    y += height + MARGIN / 2;
  }
  return {
    width: 2 * MARGIN + (types.length - 1) * STEP.x + NODE.width,
    height: y,
    nodes: placed,
    columns: types.map((type, column) => ({ type, x: MARGIN + column * STEP.x })),
    bands,
  };
}

const nodesIn = (nodes: readonly NodeInfo[], region: string, type: string) =>
  nodes
    .filter(({ region_id: where, module_type: own }) => where === region && own === type)
    .toSorted((a, b) => (a.node_id < b.node_id ? -1 : 1));

const byType = (a: string, b: string): number =>
  Number(b === 'pfc') - Number(a === 'pfc') || (a < b ? -1 : 1);

interface PlacedEdge {
  readonly edge: TopologyEdge;
  /** As SVG path data. */
  readonly path: string;
}

/** The edges between placed nodes, from the right of one to the left of the other. */
export function edgesOf({ nodes }: Layout, { edges }: Topology): readonly PlacedEdge[] {
  const byId = new Map(nodes.map((placed) => [placed.node.node_id, placed]));
  return edges.flatMap((edge) => {
    const [from, to] = [byId.get(edge.source), byId.get(edge.target)];
    return from && to ? [{ edge, path: pathOf(from, to, edge.relation) }] : [];
  });
}

/** A fallback edge ends a little lower than the direct one, so that both are visible. */
function pathOf(from: Placed, to: Placed, relation: TopologyEdge['relation']): string {
  const shift = relation === 'fallback' ? NODE.height / 4 : 0;
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2 + shift];
  const [x2, y2] = [to.x, to.y + NODE.height / 2 + shift];
  if (from.x === to.x) return loopOf(x1, y1, y2);
  const bend = Math.max(40, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/** An edge within a column, around its right side: upward edges bulge farther. */
function loopOf(x: number, y1: number, y2: number): string {
  const out = x + (y2 < y1 ? 48 : 28);
  return `M${x} ${y1}C${out} ${y1} ${out} ${y2} ${x} ${y2}`;
}
