import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import { type BrainNode, answeringWith, startBrainNode } from '../../brain/brain-node.ts';
import { startPfcNode } from '../../brain/pfc-node.ts';
import { joinBrain } from '../../edge/discovery/contract/brain-node.ts';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { discoveryEndpoints } from '../../edge/discovery/endpoints.ts';
import { DiscoveryService } from '../../compute/discovery/discovery-service.ts';
import { connectOutside } from '../../compute/discovery/outside-broker.ts';

export const SOON = { timeout: 10_000, interval: 50 };

/** A gateway that takes every registration: only that it is asked matters here. */
const gateway = createServer((_, answer) => void answer.end('{}')).unref();
gateway.listen(0, '127.0.0.1');

export async function startService(broker: string) {
  if (!gateway.listening) await once(gateway, 'listening');
  const service = new DiscoveryService({
    broker,
    region: 'cellar',
    gateway: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    headers: {},
    host: '127.0.0.1',
    port: 0,
    auth: 'local',
  });
  await service.start();
  const http = openHttp({ base: `http://127.0.0.1:${service.port}`, headers: {} });
  const health = async (query = {}) =>
    (await callEndpoint(http, discoveryEndpoints.nodeHealth, { query })).body;
  return { service, http, health };
}

export async function startNode(url: string, nodeId: string) {
  const line = await connectOutside({ url, clientId: nodeId, isNode: true, version: 4 });
  const node = { nodeId, moduleType: 'pfc', host: 'here' };
  return { line, presence: joinBrain({ line, node, everyMs: 200 }) };
}

/** A node that answers with its own name; a pfc routes. */
export async function startAnswering(
  url: string,
  nodeId: string,
  regionId: string,
): Promise<BrainNode> {
  const [moduleType = ''] = nodeId.split(/-(?=\d)/);
  const place = { nodeId, moduleType, regionId, host: 'here' };
  const connect = () => connectOutside({ url, clientId: nodeId, isNode: true, version: 5 });
  const onError = (error: unknown) => expect.unreachable(String(error));
  if (moduleType === 'pfc') {
    const makeId = () => 'route_1';
    const at = { place, namespace: 'default', reach: [], settleMs: 0 };
    return startPfcNode({ ...at, connect, makeId, onError });
  }
  const answer = answeringWith(place, {
    metadata: {},
    answer: async () => ({ outputs: { text: nodeId }, model: null }),
    close: async () => {},
  });
  return startBrainNode({ place, line: await connect(), metadata: {}, answer, onError });
}

/** Has two nodes come to a broker, and one of them leave, and reads what the discovery service shows. */
export async function watchNodes(url: string) {
  const { service, http, health } = await startService(url);
  const [one, two] = [await startNode(url, 'one'), await startNode(url, 'two')];

  await vi.waitFor(async () => expect((await health()).summary.active).toBe(2), SOON);
  const { body } = await callEndpoint(http, discoveryEndpoints.nodeTopology, { query: {} });
  const elsewhere = (await health({ namespace: 'other' })).nodes;
  await one.presence.leave();
  await vi.waitFor(async () => expect((await health()).summary.active).toBe(1), SOON);
  const { summary } = await health();

  await two.presence.leave();
  for (const { line } of [one, two]) await line.end();
  await service.stop();
  return {
    regions: body.nodes.map(({ region_id: region }) => region),
    edges: body.edges.map(({ id }) => id),
    elsewhere,
    summary,
  };
}

export const SEEN: Awaited<ReturnType<typeof watchNodes>> = {
  regions: ['cellar', 'cellar'],
  edges: ['one/two/routes_to', 'two/one/routes_to'],
  elsewhere: [],
  summary: { active: 1, inactive: 1, total: 2 },
};
