import { connect, connectAsync } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinBrain } from '../../edge/discovery/contract/brain-node.ts';
import { type MessageLine, mqttLine } from '../../edge/discovery/contract/message-line.ts';
import { Topology, UiExport } from '../../edge/discovery/contract/node.ts';
import {
  brokerUrl,
  clientOptions,
  nodeOptions,
} from '../../edge/discovery/contract/node-connection.ts';
import {
  createNodeDiscovery,
  getNodeDiscovery,
  initNodeDiscovery,
} from '../../edge/discovery/contract/node-discovery.ts';
import { type Edge, startEdge } from './harness.ts';

const SOON = { timeout: 10_000, interval: 50 };

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(endings.splice(0).map((end) => end()));
});

const where = (namespace: string, region = 'tokyo') => ({
  gateway: edge.gateway,
  namespace,
  region,
});

async function watch(namespace: string): Promise<MessageLine> {
  const client = await connectAsync(brokerUrl(where(namespace)), clientOptions('watcher'));
  endings.push(() => client.endAsync(true));
  return mqttLine(client);
}

/** A node as brain nodes are, on a line of its own. */
function join(namespace: string, nodeId: string, moduleType: string, region = 'tokyo') {
  const client = connect(brokerUrl(where(namespace, region)), nodeOptions(nodeId));
  const presence = joinBrain({
    line: mqttLine(client),
    node: { nodeId, moduleType, host: 'here' },
    usage: () => ({ cpu_percent: 25 }),
  });
  endings.push(() =>
    presence
      .leave()
      .catch(() => {})
      .finally(() => client.endAsync(true)),
  );
  return { client, presence };
}

async function health(namespace: string, more = ''): Promise<UiExport> {
  const url = new URL(`/api/node-discovery/health?namespace=${namespace}${more}`, edge.gateway);
  return UiExport.parse(await (await fetch(url)).json());
}

describe('the nodes of a brain', () => {
  it('are found in all its regions, with the ways between them', async () => {
    join('wide', 'pfc-1', 'pfc');
    join('wide', 'lang-1', 'lang-main', 'oregon');
    join('other', 'visual-1', 'visual');

    await vi.waitFor(
      async () =>
        expect((await health('wide')).summary).toEqual({ active: 2, inactive: 0, total: 2 }),
      SOON,
    );

    expect((await health('wide', '&region=oregon')).nodes.map(({ node_id: id }) => id)).toEqual([
      'lang-1',
    ]);
    const url = new URL('/api/node-discovery/topology?namespace=wide', edge.gateway);
    const { nodes, edges } = Topology.parse(await (await fetch(url)).json());
    expect(nodes.map(({ region_id: region }) => region).toSorted()).toEqual(['oregon', 'tokyo']);
    expect(edges.map(({ relation, status }) => [relation, status])).toEqual([
      ['routes_to', 'up'],
      ['fallback', 'up'],
    ]);
  });

  it('of the brain that everybody has make their region known to geo', async () => {
    join('default', 'geo-1', 'visual', 'ap-northeast-1');

    await vi.waitFor(async () => {
      const answer = await fetch(new URL('/api/geo/nodes?region_id=ap-northeast-1', edge.gateway));
      expect(await answer.text()).toContain('"node_id":"geo-1"');
    }, SOON);
  });

  it('reach programs too, which learn of those that came before them', async () => {
    join('heard', 'audio-1', 'audio');
    expect(getNodeDiscovery).toThrow('initNodeDiscovery');
    await vi.waitFor(async () => expect((await health('heard')).summary.active).toBe(1), SOON);

    const discovery = await initNodeDiscovery('heard', {
      line: await watch('heard'),
      regionId: 'tokyo',
    });

    await vi.waitFor(() => expect(discovery.getNodeCount().active).toBe(1), SOON);
    expect(getNodeDiscovery()).toBe(discovery);
    expect(discovery.getNodesByType('audio')).toMatchObject([
      { node_id: 'audio-1', region_id: 'tokyo' },
    ]);
    expect(discovery.getNodeHealth('nobody')).toBeUndefined();
    expect(discovery.exportForUi().nodes).toHaveLength(1);
    await vi.waitFor(
      () =>
        expect(discovery.getNodeHealth('audio-1')).toMatchObject({
          status: 'active',
          health_score: 0.75,
        }),
      SOON,
    );
    discovery.close();
  });

  it('reach a program that gives only their namespace', async () => {
    join('plain', 'audio-2', 'audio', 'local');
    const onUnreachable = vi.fn<(reason: Error) => void>();
    const gateway = 'http://127.0.0.1:1';
    const unreached = await initNodeDiscovery('plain', { gateway, onUnreachable });
    expect(String(onUnreachable.mock.calls[0]?.[0])).toContain('ws://127.0.0.1:1/mqtt/plain/local');
    expect(unreached.getNodeCount()).toMatchObject({ active: 0, total: 0 });

    // The page's own platform is where a page's address says; Node's is at port 8000.
    vi.stubGlobal('location', edge.gateway);
    const discovery = await initNodeDiscovery('plain').finally(() => vi.unstubAllGlobals());

    await vi.waitFor(() => expect(discovery.getNodesByType('audio')).toHaveLength(1), SOON);
    expect(getNodeDiscovery()).toBe(discovery);
    discovery.close();
  });

  it('are inactive at once when they leave, or their connection breaks off', async () => {
    const discovery = await createNodeDiscovery('leaving', { line: await watch('leaving') });
    const [one, two] = [join('leaving', 'one', 'motor'), join('leaving', 'two', 'motor')];
    await vi.waitFor(() => expect(discovery.getActiveNodes()).toHaveLength(2), SOON);

    await one.presence.leave();
    two.client.stream.destroy();

    // No heartbeat is missing yet: five seconds have not passed.
    await vi.waitFor(
      () => expect(discovery.getNodeCount()).toEqual({ active: 0, inactive: 2, total: 2 }),
      { timeout: 3_000, interval: 10 },
    );
    discovery.close();
  });
});
