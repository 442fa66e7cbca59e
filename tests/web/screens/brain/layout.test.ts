import { describe, expect, it } from 'vitest';
import type { NodeInfo } from '../../../../edge/discovery/contract/node.ts';
import { topologyOf } from '../../../../edge/discovery/contract/node-views.ts';
import { edgesOf, layoutOf, NODE } from '../../../../web/screens/brain/layout.ts';
import { neighbourOf } from '../../../../web/widgets/graph/neighbour.ts';

const node = (node_id: string, module_type: string, region_id: string): NodeInfo => ({
  node_id,
  module_type,
  region_id,
  host: 'h',
  status: 'active',
  last_seen: 0,
  health_score: 1,
  metadata: {},
});

const nodes = [
  node('visual-1', 'visual', 'tokyo'),
  node('lang-1', 'lang-main', 'oregon'),
  node('pfc-1', 'pfc', 'tokyo'),
  node('visual-2', 'visual', 'tokyo'),
];

describe('the layout of a brain', () => {
  it('has the PFC left, a column for each type and a band for each region', () => {
    const { columns, bands } = layoutOf(nodes);

    expect(columns.map(({ type }) => type)).toEqual(['pfc', 'lang-main', 'visual']);
    expect(bands.map(({ region }) => region)).toEqual(['oregon', 'tokyo']);
  });

  it('puts 200 nodes in their bands, none over another', () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      node(`n-${i}`, ['pfc', 'visual', 'audio', 'motor'][i % 4]!, `region-${i % 3}`),
    );
    const layout = layoutOf(many);

    expect(layout.nodes).toHaveLength(200);
    for (const [i, one] of layout.nodes.entries()) {
      const band = layout.bands.find(({ region }) => region === one.node.region_id)!;
      expect(one.y).toBeGreaterThanOrEqual(band.y);
      expect(one.y + NODE.height).toBeLessThanOrEqual(band.y + band.height);
      expect(one.x + NODE.width).toBeLessThanOrEqual(layout.width);
      const over = layout.nodes
        .slice(i + 1)
        .filter(({ x, y }) => x === one.x && Math.abs(y - one.y) < NODE.height);
      expect(over).toEqual([]);
    }
  });

  it('draws every way, a fallback apart from the direct one', () => {
    const topology = topologyOf(nodes, 0);
    const paths = edgesOf(layoutOf(nodes), topology).map(({ path }) => path);

    expect(paths).toHaveLength(4);
    expect(new Set(paths).size).toBe(4);
  });

  it('goes beside a column between two of it, each way on its own', () => {
    const pfcs = [node('a', 'pfc', 'tokyo'), node('b', 'pfc', 'tokyo')];
    const paths = edgesOf(layoutOf(pfcs), topologyOf(pfcs, 0)).map(({ path }) => path);

    expect(new Set(paths).size).toBe(2);
    for (const path of paths) {
      const xs = path.match(/[\d.]+/g)!.filter((_, i) => i % 2 === 0);
      expect(Math.min(...xs.map(Number))).toBeGreaterThanOrEqual(NODE.width);
    }
  });

  it('leads from node to node with the arrow keys', () => {
    const { nodes: placed } = layoutOf(nodes);
    const at = (id: string) => placed.find(({ node: { node_id } }) => node_id === id)!;
    const next = (id: string, key: string) => neighbourOf(placed, at(id), key)?.node.node_id;

    expect(next('pfc-1', 'ArrowRight')).toBe('visual-1');
    expect(next('visual-1', 'ArrowDown')).toBe('visual-2');
    expect(next('visual-1', 'ArrowUp')).toBe('lang-1');
    expect(next('pfc-1', 'ArrowLeft')).toBeUndefined();
    expect(next('pfc-1', 'Enter')).toBeUndefined();
  });
});
