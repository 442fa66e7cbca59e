import type { CausalLink, CausalNode } from '../../../../edge/memory/contract/causal.ts';
import { layersOf } from './layers.ts';

/** In px. */
export const NODE = { width: 200, height: 44 } as const;
const STEP = { x: 248, y: 56 } as const;
const MARGIN = 16;
/** Gap between connected components. */
const GAP = 32;
/** A larger layer takes several columns. */
const MAX_ROWS = 16;
/** Components stand side by side up to this width. */
const SHELF = 1_400;

/** Where a node lies: its upper left corner. */
export interface PlacedNode {
  readonly node: CausalNode;
  readonly x: number;
  readonly y: number;
}

export interface PlacedLink {
  readonly link: CausalLink;
  readonly id: string;
  /** As SVG path data. */
  readonly path: string;
  /** The position of a mark on the edge. */
  readonly middle: { readonly x: number; readonly y: number };
}

interface GraphPicture {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly PlacedLink[];
}

/** The identity of an edge: a cause and an effect can have several relations. */
export const linkId = ({ from, to, relation }: CausalLink): string => `${relation}\n${from}\n${to}`;

interface Part {
  readonly nodes: readonly PlacedNode[];
  readonly width: number;
  readonly height: number;
}

/**
 * Causes left of their effects, as far as cycles let them. Parts that no edge joins stand side by side,
 * the largest first. The same graph has the same picture in whatever order it comes.
 */
export function layOutGraph(
  nodes: readonly CausalNode[],
  links: readonly CausalLink[],
): GraphPicture {
  const parts = partsOf(nodes, links)
    .toSorted((a, b) => b.length - a.length || compare(keyOf(a), keyOf(b)))
    .map((part) => layOutPart(part, links));
  const placed = shelve(parts);
  const byKey = new Map(placed.map((one) => [one.node.key, one]));
  const right = Math.max(0, ...placed.map(({ x }) => x + NODE.width));
  const bottom = Math.max(0, ...placed.map(({ y }) => y + NODE.height));
  return {
    width: right + MARGIN + STEP.x - NODE.width,
    height: bottom + MARGIN + NODE.height,
    nodes: placed,
    links: links.flatMap((link) => {
      const [from, to] = [byKey.get(link.from), byKey.get(link.to)];
      return from && to ? [placedLink(link, from, to)] : [];
    }),
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const keyOf = ([first]: readonly CausalNode[]): string => first?.key ?? '';

/** The connected components of the graph, each sorted by key. */
function partsOf(nodes: readonly CausalNode[], links: readonly CausalLink[]): CausalNode[][] {
  const near = Map.groupBy(
    links.flatMap(({ from, to }) => [
      { key: from, other: to },
      { key: to, other: from },
    ]),
    ({ key }) => key,
  );
  const left = new Map(
    nodes.toSorted((a, b) => compare(a.key, b.key)).map((node) => [node.key, node]),
  );
  const parts: CausalNode[][] = [];
  for (const first of left.values()) {
    const part: CausalNode[] = [];
    const waiting = [first];
    left.delete(first.key);
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      part.push(node);
      for (const { other } of near.get(node.key) ?? []) {
        const found = left.get(other);
        if (!found) continue;
        left.delete(other);
        waiting.push(found);
      }
    }
    parts.push(part.toSorted((a, b) => compare(a.key, b.key)));
  }
  return parts;
}

function layOutPart(part: readonly CausalNode[], links: readonly CausalLink[]): Part {
  const columns = layersOf(part, links).flatMap((layer) => inColumns(layer));
  const rows = Math.max(...columns.map(({ length }) => length));
  const nodes = columns.flatMap((column, index) => {
    const top = ((rows - column.length) * STEP.y) / 2;
    return column.map((node, row) => ({ node, x: index * STEP.x, y: top + row * STEP.y }));
  });
  return { nodes, width: columns.length * STEP.x, height: rows * STEP.y };
}

/** The fewest columns, of about the same height. */
function inColumns(layer: readonly CausalNode[]): readonly (readonly CausalNode[])[] {
  const columns = Math.ceil(layer.length / MAX_ROWS);
  const rows = Math.ceil(layer.length / columns);
  return Array.from({ length: columns }, (_, at) => layer.slice(at * rows, (at + 1) * rows));
}

/** Packs components into rows. */
function shelve(parts: readonly Part[]): readonly PlacedNode[] {
  const placed: PlacedNode[] = [];
  let [left, top, tallest] = [0, 0, 0];
  for (const { nodes, width, height } of parts) {
    if (left > 0 && left + width > SHELF) {
      top += tallest + GAP;
      left = 0;
      tallest = 0;
    }
    for (const { node, x, y } of nodes) {
      placed.push({ node, x: MARGIN + left + x, y: MARGIN + top + y });
    }
    left += width + GAP;
    tallest = Math.max(tallest, height);
  }
  return placed;
}

/** Vertical offsets that separate edges of different relations between the same nodes. */
const SHIFT = { causes: 0, enables: 6, prevents: 12, contributes_to: -6, correlates: -12 } as const;

function placedLink(link: CausalLink, from: PlacedNode, to: PlacedNode): PlacedLink {
  const shift = SHIFT[link.relation];
  const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2 + shift];
  const y2 = to.y + NODE.height / 2 + shift;
  const id = linkId(link);
  if (to.x > from.x) {
    const bend = Math.max(36, (to.x - x1) / 2);
    const path = `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}`;
    return { link, id, path, middle: { x: (x1 + to.x) / 2, y: (y1 + y2) / 2 } };
  }
  // Backward, or within a column: around the right sides.
  const end = to.x + NODE.width;
  const out = Math.max(x1, end) + 36;
  const path = `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${end} ${y2}`;
  return { link, id, path, middle: { x: out - 9, y: (y1 + y2) / 2 } };
}
