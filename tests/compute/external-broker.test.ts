import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BrainNode, answeringWith, startBrainNode } from '../../brain/brain-node.ts';
import { startPfcNode } from '../../brain/pfc-node.ts';
import { askExternal } from '../../compute/brain/ask-external.ts';
import { BrainPrompt } from '../../edge/brain/contract/prompt.ts';
import { joinBrain } from '../../edge/discovery/contract/brain-node.ts';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { discoveryEndpoints } from '../../edge/discovery/endpoints.ts';
import { DiscoveryService } from '../../compute/discovery/discovery-service.ts';
import { connectOutside, parseBroker } from '../../compute/discovery/outside-broker.ts';
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
  const line = await connectOutside({ url, clientId: nodeId, isNode: true, version: 4 });
  const node = { nodeId, moduleType: 'pfc', host: 'here' };
  return { line, presence: joinBrain({ line, node, everyMs: 200 }) };
}

/** A node that answers with its own name; a pfc routes. */
async function startAnswering(url: string, nodeId: string, regionId: string): Promise<BrainNode> {
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

describe.skipIf(!hasMosquitto)('prompts on mosquitto (apt-get install mosquitto)', () => {
  it('take the way they take on the platform, over all regions, with a user and a password', async () => {
    const password = 'open sesame';
    await using mosquitto = await startMosquitto({ name: 'ali', password });
    const broker = mosquitto.url.replace('//', `//ali:${encodeURIComponent(password)}@`);
    const ask = async (prompt: object) => {
      const { answer, route } = await askExternal(
        { broker, namespace: 'default' },
        BrainPrompt.parse(prompt),
      );
      return { text: answer.outputs.text, hops: route.hops, pfc: route.pfc.node_id };
    };
    const pfc = await startAnswering(broker, 'pfc-1', 'cellar');
    const language = await startAnswering(broker, 'lang-main-1', 'cellar');
    const eye = await startAnswering(broker, 'visual-1', 'attic');

    const [read, seen] = await Promise.all([ask({ text: 'who?' }), ask({ image: 'aGk=' })]);
    await eye.close();
    const fallen = await ask({ image: 'aGk=' });

    expect(read).toMatchObject({ text: 'lang-main-1', pfc: 'pfc-1' });
    expect(seen.text).toBe('visual-1');
    expect(seen.hops).toMatchObject([
      { topic: 'node/visual-1/prompt', region_id: 'attic', status: 'answered' },
    ]);
    expect(fallen.text).toBe('lang-main-1');
    expect(fallen.hops).toMatchObject([{ topic: 'pfc/text_prompt', fallback: true }]);
    const stranger = startAnswering(
      mosquitto.url.replace('//', '//ali:sesam@'),
      'motor-1',
      'attic',
    );
    await expect(stranger).rejects.toThrow(
      /^[^@]+motor-1 cannot connect to mqtt:\/\/127\.0\.0\.1:\d+: .*[Nn]ot authorized$/,
    );
    await language.close();
    await pfc.close();
  });
});

describe('the address of a broker', () => {
  const url = 'mqtts://broker:8883';

  it.each([
    ['mqtts://eve:p%40ss@broker:8883', {}, { username: 'eve', password: 'p@ss' }],
    [url, { MQTT_USERNAME: 'eve', MQTT_PASSWORD: 'p@ss' }, { username: 'eve', password: 'p@ss' }],
    ['mqtts://eve@broker:8883', { MQTT_PASSWORD: 'p@ss' }, { username: 'eve', password: 'p@ss' }],
    [url, {}, {}],
  ])('of %s is told apart from who comes', (text, env, login) => {
    expect(parseBroker(text, env)).toEqual({ url, ...login });
  });

  it.each([
    ['http://eve:secret@broker', "the broker's address is http://broker: expected mqtt://"],
    ['eve:secret@broker', "the broker's address is eve://: expected mqtt://"],
    ['//eve:secret@broker', "the broker's address is none: expected mqtt://"],
    ['mqtt://eve:secret%@broker', 'a % in the user or password of the broker'],
  ])('may not be %s, and no secret is told', (text, message) => {
    expect(() => parseBroker(text, {})).toThrow(message);
    expect(() => parseBroker(text, {})).not.toThrow('secret');
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

  it('that speaks no MQTT 5 says so to nodes', async () => {
    const broker = await startMqttBroker();

    await expect(startAnswering(broker.url, 'motor-1', 'cellar')).rejects.toThrow(
      `motor-1 cannot connect to ${broker.url}: it speaks no MQTT 5`,
    );
    await broker.close();
  });

  it('that is not there is an error at the start, which leaves nothing open', async () => {
    await expect(startService('mqtt://127.0.0.1:1')).rejects.toThrow(/ECONNREFUSED/);
  });
});
