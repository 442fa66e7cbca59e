import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrainLoadBalancer } from '../../edge/brain/contract/load-balancer.ts';
import {
  activeNodes,
  baseTypeOf,
  chooseRoute,
  isAvailable,
} from '../../edge/brain/contract/routing.ts';
import type { NodeInfo } from '../../edge/discovery/contract/node.ts';
import { promptTopic, TEXT_PROMPT } from '../../edge/discovery/contract/topics.ts';

const REGIONS = ['tokyo', 'oregon', 'ireland'];
const NAMES = ['lang-main', 'lang-embed-3', 'visual', 'vision-2', 'audio', 'motor-7', 'spatial-1'];

const anyNode: fc.Arbitrary<NodeInfo> = fc.record({
  node_id: fc.uuid(),
  module_type: fc.constantFrom(...NAMES, 'pfc'),
  host: fc.constant('here'),
  status: fc.constantFrom('active', 'inactive', 'error'),
  last_seen: fc.constant(0),
  health_score: fc.double({ min: 0, max: 1, noNaN: true }),
  region_id: fc.constantFrom(...REGIONS),
  metadata: fc.record(
    { phi: fc.nat(20), queue_depth: fc.nat(9), active_task: fc.boolean() },
    { requiredKeys: [] },
  ),
});
const anyNodes = fc.uniqueArray(anyNode, { selector: ({ node_id: id }) => id, maxLength: 12 });
const anyName = fc.constantFrom(...NAMES);
const anyPriority = fc.shuffledSubarray([...REGIONS, 'nowhere']);

function node(id: string, changes: Partial<NodeInfo> = {}): NodeInfo {
  const known = { host: 'here', last_seen: 0, health_score: 1, region_id: 'tokyo', metadata: {} };
  return { node_id: id, module_type: 'lang-main', status: 'active', ...known, ...changes };
}

/** A balancer over nodes that a test changes. */
function balancerOf(nodes: readonly NodeInfo[] | undefined, now = () => 0) {
  const world = { nodes };
  const discovery = () => {
    if (!world.nodes) throw new Error('the broker refused the subscription');
    return world.nodes;
  };
  const balancer = new BrainLoadBalancer({ discovery, now });
  balancer.refreshFromDiscovery();
  return { world, balancer };
}

describe('the rules of routing', () => {
  it('rule 1: the active nodes of the target are looked up before routing, and decide', () => {
    fc.assert(
      fc.property(anyNodes, anyName, (nodes, name) => {
        const { balancer } = balancerOf(nodes);
        const has = balancer.hasActiveNodes(name);

        expect(balancer.route(name).fallback).toBe(!has);
      }),
    );
  });

  it.each([
    ['lang-main', 'lang-main'],
    ['lang-embed-18', 'lang-main'],
    ['lang-tas', 'lang-main'],
    ['visual', 'visual'],
    ['vision-edge-2', 'visual'],
    ['auditory-0', 'audio'],
    ['motor-consensus-3', 'motor'],
    ['spatial-4', 'spatial'],
    ['language', 'language'],
    ['pfc-0', 'pfc'],
  ])('rule 2: the compound name %s is reduced to %s', (name, base) => {
    expect(baseTypeOf(name)).toBe(base);
    expect(baseTypeOf(baseTypeOf(name))).toBe(base);
  });

  it('rule 3: only nodes with the status active count', () => {
    fc.assert(
      fc.property(anyNodes, anyName, (nodes, name) => {
        const active = nodes.filter(({ status }) => status === 'active');
        const route = chooseRoute(nodes, name);

        expect(route).toEqual(chooseRoute(active, name));
        expect(route.node?.status ?? 'active').toBe('active');
        expect(route.considered).toHaveLength(activeNodes(nodes, baseTypeOf(name)).length);
      }),
    );
  });

  it('rule 4: lang-main is always available, and its way is no fallback', () => {
    fc.assert(
      fc.property(fc.option(anyNodes, { nil: undefined }), (nodes) => {
        expect(isAvailable(nodes, 'lang-main')).toBe(true);
        expect(isAvailable(nodes, 'lang-embed-2')).toBe(true);
        expect(chooseRoute(nodes, 'lang-main').fallback).toBe(false);
      }),
    );
  });

  it('rule 5: where discovery is unavailable, every type but lang-main has no active nodes', () => {
    fc.assert(
      fc.property(anyNodes, anyName, (nodes, name) => {
        const { world, balancer } = balancerOf(nodes);
        world.nodes = undefined;
        balancer.refreshFromDiscovery();

        expect(balancer.hasActiveNodes(name)).toBe(baseTypeOf(name) === 'lang-main');
        expect(balancer.route(name)).toMatchObject({
          topic: TEXT_PROMPT,
          node: undefined,
          reason: expect.stringContaining('discovery is unavailable'),
        });
      }),
    );
  });

  it('rule 6: a target without active nodes is sent to on pfc/text_prompt, others on their topic', () => {
    fc.assert(
      fc.property(anyNodes, anyName, (nodes, name) => {
        const { topic, node: chosen } = chooseRoute(nodes, name);
        const active = activeNodes(nodes, baseTypeOf(name));

        expect(active.includes(chosen!)).toBe(active.length > 0);
        expect(topic).toBe(chosen ? promptTopic(chosen.node_id) : TEXT_PROMPT);
      }),
    );
  });

  it('rule 7: the first region with a candidate narrows the choice, and never to nobody', () => {
    fc.assert(
      fc.property(anyNodes, anyName, anyPriority, (nodes, name, regionPriority) => {
        const { node: chosen } = chooseRoute(nodes, name, { regionPriority });
        const active = activeNodes(nodes, baseTypeOf(name));
        const where = regionPriority.find((one) => active.some((n) => n.region_id === one));

        expect(chosen === undefined).toBe(active.length === 0);
        expect(chosen?.region_id).toBe(where ?? chosen?.region_id);
      }),
    );
  });
});

describe('the load balancer', () => {
  it('takes the least loaded: no candidate weighs more, in whatever order they announce themselves', () => {
    fc.assert(
      fc.property(anyNodes, anyName, anyPriority, (nodes, name, regionPriority) => {
        const route = chooseRoute(nodes, name, { regionPriority });
        const open = route.considered.filter(
          ({ excluded }) => excluded === null || excluded === 'another is less loaded',
        );

        expect(open[0]?.node_id).toBe(route.node?.node_id);
        expect(Math.max(0, ...open.map(({ weight }) => weight))).toBe(open[0]?.weight ?? 0);
        expect(chooseRoute(nodes.toReversed(), name, { regionPriority })).toEqual(route);
      }),
    );
  });

  it('spreads what is under way over equal nodes, before any heartbeat says so', () => {
    const { balancer } = balancerOf(['a', 'b', 'c'].map((id) => node(id)));
    const taken = Array.from({ length: 9 }, () => {
      const id = balancer.route('lang-main').node!.node_id;
      return { id, end: balancer.begin(id) };
    });

    const counts = Map.groupBy(taken, ({ id }) => id);
    expect([...counts.values()].map(({ length }) => length)).toEqual([3, 3, 3]);
    for (const { id, end } of taken) if (id === 'b') end();
    expect(balancer.route('lang-main').node?.node_id).toBe('b');
  });

  it('takes over load and status from discovery only when it is refreshed', () => {
    const { world, balancer } = balancerOf([node('a'), node('b', { health_score: 0.9 })]);
    world.nodes = [node('a', { metadata: { queue_depth: 4 } }), node('b')];

    expect(balancer.route('lang-main').node?.node_id).toBe('a');
    balancer.refreshFromDiscovery();
    expect(balancer.route('lang-main').node?.node_id).toBe('b');
  });

  it('prefers whom it does not suspect, at equal health', () => {
    const { balancer } = balancerOf([node('a', { metadata: { phi: 3 } }), node('b')]);

    expect(balancer.route('lang-main').node?.node_id).toBe('b');
  });

  it('avoids a node that flaps or fails for half a minute, unless there is no other', () => {
    let now = 0;
    const { world, balancer } = balancerOf(
      [node('a'), node('b', { health_score: 0.4 })],
      () => now,
    );
    balancer.fault('a');
    balancer.fault('a');

    expect(balancer.route('lang-main').node?.node_id).toBe('b');
    world.nodes = [node('a')];
    balancer.refreshFromDiscovery();
    expect(balancer.route('lang-main').node?.node_id).toBe('a');
    world.nodes = [node('a'), node('b', { health_score: 0.4 })];
    balancer.refreshFromDiscovery();
    now = 30_001;
    expect(balancer.route('lang-main').node?.node_id).toBe('a');
  });
});
