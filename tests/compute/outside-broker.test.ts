import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { joinBrain } from '../../edge/contract/discovery/brain-node.ts';
import { callEndpoint } from '../../edge/contract/endpoint-client.ts';
import { discoveryEndpoints } from '../../edge/contract/discovery-endpoints.ts';
import { openHttp } from '../../edge/contract/http-client.ts';
import { DiscoveryService } from '../../compute/discovery/discovery-service.ts';
import { connectOutside } from '../../compute/discovery/outside-broker.ts';
import { startMqttBroker } from './mqtt-broker.ts';
import { hasMosquitto, startMosquitto } from './mosquitto.ts';

const SOON = { timeout: 10_000, interval: 50 };

/** A gateway that takes every registration: only that it is asked matters here. */
const gateway = createServer((_, answer) => void answer.end('{}'));
beforeAll(() => new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve)));
afterAll(() => void gateway.close());

async function startService(broker: string) {
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

async function startNode(url: string, nodeId: string) {
  const line = await connectOutside({ url, clientId: nodeId, isNode: true });
  const node = { nodeId, moduleType: 'pfc', host: 'here' };
  return { line, presence: joinBrain({ line, node, everyMs: 200 }) };
}

describe.skipIf(!hasMosquitto)('a brain on mosquitto (apt-get install mosquitto)', () => {
  it('is seen as one at the edge is, and says at once who has left', async () => {
    await using broker = await startMosquitto();
    const { service, http, health } = await startService(broker.url);
    const [one, two] = [await startNode(broker.url, 'one'), await startNode(broker.url, 'two')];

    await vi.waitFor(async () => expect((await health()).summary.active).toBe(2), SOON);
    const { body } = await callEndpoint(http, discoveryEndpoints.nodeTopology, { query: {} });
    expect(body.nodes).toMatchObject([{ region_id: 'cellar' }, { region_id: 'cellar' }]);
    expect(body.edges.map(({ id }) => id)).toEqual(['one/two/routes_to', 'two/one/routes_to']);
    expect((await health({ namespace: 'other' })).nodes).toEqual([]);
    await one.presence.leave();

    await vi.waitFor(
      async () => expect((await health()).summary).toEqual({ active: 1, inactive: 1, total: 2 }),
      SOON,
    );
    await two.presence.leave();
    for (const { line } of [one, two]) await line.end();
    await service.stop();
  });
});

describe('an outside broker', () => {
  it('that goes away makes the service degraded, until it is back', async () => {
    const broker = await startMqttBroker();
    const { service, health } = await startService(broker.url);
    const { line, presence } = await startNode(broker.url, 'one');
    await vi.waitFor(async () => expect((await health()).summary.active).toBe(1), SOON);
    expect(await service.healthCheck()).toMatchObject({ status: 'ok' });

    broker.cut();

    await vi.waitFor(
      async () => expect((await service.healthCheck()).status).toBe('degraded'),
      SOON,
    );
    await vi.waitFor(async () => expect((await service.healthCheck()).status).toBe('ok'), SOON);
    const before = (await health()).nodes[0]?.metadata['step_count'];
    presence.note({ step_count: 7 });
    await vi.waitFor(
      async () => expect((await health()).nodes[0]?.metadata['step_count']).toBe(7),
      SOON,
    );
    expect(before).toBe(0);
    await presence.leave();
    await line.end();
    await service.stop();
    await broker.close();
  });

  it('that is not there is an error at the start, which leaves nothing open', async () => {
    await expect(startService('mqtt://127.0.0.1:1')).rejects.toThrow(/ECONNREFUSED/);
  });
});
