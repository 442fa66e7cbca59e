import { describe, expect, it } from 'vitest';
import type { BrainRoute } from '../../../../edge/brain/contract/reply.ts';
import type { TopologyEdge } from '../../../../edge/discovery/contract/node.ts';
import { isTaken, litRoutes } from '../../../../web/screens/brain/RoutesPanel.tsx';

const NOW_S = Date.UTC(2026, 10, 22, 10) / 1000;

const route = (id: string, agoS: number, fallback = false): BrainRoute => ({
  route_id: id,
  at: new Date((NOW_S - agoS) * 1000).toISOString(),
  pfc: { node_id: 'pfc-1', region_id: 'tokyo' },
  modalities: ['text'],
  target: 'lang-main',
  base_type: 'lang-main',
  status: 'answered',
  node_id: 'lang-1',
  fallback,
  reason: 'it is the only one',
  hops: [
    {
      node_id: 'lang-1',
      region_id: 'tokyo',
      topic: 'node/lang-1/prompt',
      fallback,
      reason: 'it is the only one',
      status: 'answered',
      taken_ms: 1,
      total_ms: 2,
      detail: null,
    },
  ],
  considered: [],
  total_ms: 3,
});

const edge = (relation: TopologyEdge['relation'], source = 'pfc-1'): TopologyEdge => ({
  id: `${source}/lang-1/${relation}`,
  source,
  target: 'lang-1',
  relation,
  topic: 't',
  status: 'up',
  latency_ms: null,
  weight: 1,
  mainstat: '100 %',
});

describe('the ways that are lit', () => {
  it('are those of the last seconds, or of the route that is chosen', () => {
    const routes = [route('new', 3), route('old', 60)];
    const lit = (chosen?: string) => litRoutes(routes, chosen, NOW_S).map((one) => one.route_id);

    expect(lit()).toEqual(['new']);
    expect(lit('old')).toEqual(['old']);
  });

  it('are the direct one or the fallback, as the question went', () => {
    expect(isTaken(edge('routes_to'), [route('a', 0)])).toBe(true);
    expect(isTaken(edge('fallback'), [route('a', 0)])).toBe(false);
    expect(isTaken(edge('fallback'), [route('a', 0, true)])).toBe(true);
    expect(isTaken(edge('routes_to', 'pfc-2'), [route('a', 0)])).toBe(false);
  });
});
