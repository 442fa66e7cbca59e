import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { UiExport } from '../../edge/discovery/contract/node.ts';
import { brokerUrl } from '../../edge/discovery/contract/node-connection.ts';
import { NodeList } from '../../edge/geo/contract/node.ts';
import { RegionRecord } from '../../edge/geo/contract/region.ts';
import type { Scope } from '../../edge/contract/scope.ts';
import { eventually } from './eventually.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { upgrade } from './upgrade.ts';

const ACTIVE = 'ap-northeast-1';
const NODE = ['infer', 'discovery:read'] as const;

let edge: GuardedEdge;
let anna = '';
let mate = '';
let ben = '';
beforeAll(async () => {
  const QUOTAS = { brokers: { owner: 5 }, mqtt_sessions: { owner: 12 } };
  edge = await startGuardedEdge({ vars: { QUOTAS, TARGET_ALLOWLIST: ['127.0.0.0/8'] } });
  anna = await keyOf('vision', ...NODE);
  mate = await keyOf('vision', ...NODE);
  ben = await keyOf('audio', ...NODE);
});
afterAll(() => edge[Symbol.asyncDispose]());

const clients: MqttClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});

const keyOf = async (team: string, ...scopes: Scope[]): Promise<string> =>
  (await edge.keyFor(scopes, { team })).key;

interface Joining {
  readonly namespace?: string;
  readonly region?: string;
  readonly will?: { readonly topic: string; readonly payload: string };
}

async function join(key: string, clientId: string, at: Joining = {}): Promise<MqttClient> {
  const { namespace = 'shared', region = 'tokyo', will } = at;
  const url = brokerUrl({ gateway: edge.gateway, namespace, region });
  const options = {
    ...{ forceNativeWebSocket: true, protocolVersion: 5 as const, reconnectPeriod: 0 },
    ...{ username: 'key', password: key, clientId },
    ...(will && { will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: false } }),
  } satisfies IClientOptions;
  const client = await connectAsync(url, options, false);
  clients.push(client);
  return client;
}

const announce = (client: MqttClient, nodeId: string, region_id: string) =>
  client.publishAsync(
    'discovery/announce',
    JSON.stringify({ node_id: nodeId, module_type: 'audio', host: 'h:1', metadata: { region_id } }),
    { qos: 1 },
  );

const get = (path: string, key: string) => send(new URL(path, edge.gateway), { key });

async function nodesFor(key: string, namespace: string, more = '') {
  const path = `/api/node-discovery/health?namespace=${namespace}${more}`;
  return UiExport.parse(await (await get(path, key)).json()).nodes;
}

const idsFor = async (key: string, namespace: string, more = '') =>
  (await nodesFor(key, namespace, more)).map(({ node_id: id }) => id);

/** Topics received until a message that the reader sends to itself comes back. */
async function heardBy(reader: MqttClient, act: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  reader.on('message', (topic) => (topic === 'end/of/it' ? resolve() : heard.push(topic)));
  await reader.subscribeAsync(['#', '$share/all/#']);
  await act();
  await reader.publishAsync('end/of/it', '', { qos: 1 });
  await promise;
  return heard.filter((topic) => topic !== 'end/of/it');
}

describe('brains of the same name of two teams', () => {
  it('share no topic, retained message, group, will, request or session', async () => {
    const hers = await join(anna, 'same-id', { will: { topic: 'will/of/hers', payload: 'gone' } });
    const his = await join(ben, 'same-id');

    const heard = await heardBy(his, async () => {
      for (const topic of ['room/light', 'node/x/prompt', 'reply/same-id', 'pfc/routes/same-id']) {
        await hers.publishAsync(topic, 'v', { qos: 1, retain: true });
      }
      hers.stream.destroy();
    });
    const later = await heardBy(await join(ben, 'later'), async () => {});
    const mates = await heardBy(await join(mate, 'mate'), async () => {});

    expect([heard, later]).toEqual([[], []]);
    expect(new Set(mates)).toEqual(
      new Set(['room/light', 'node/x/prompt', 'reply/same-id', 'pfc/routes/same-id']),
    );
  });

  it('show their nodes to their team alone, and to administrators who name it', async () => {
    const node = await join(anna, 'hers-1');
    await announce(node, 'hers-1', 'tokyo');

    expect(await idsFor(mate, 'shared')).toContain('hers-1');
    expect(await idsFor(ben, 'shared')).not.toContain('hers-1');
    expect(await idsFor(edge.admin, 'shared')).not.toContain('hers-1');
    expect(await idsFor(edge.admin, 'shared', '&team=vision')).toContain('hers-1');
    const told = async (key: string) => await (await get('/events?limit=100', key)).text();
    await eventually(
      () => told(mate),
      (text) => text.includes('hers-1'),
    );
    expect(await told(ben)).not.toContain('hers-1');
    const named = await get('/api/node-discovery/topology?namespace=shared&team=vision', ben);
    expect((await problemOf(named)).code).toBe('forbidden');
    const asked = await send(new URL('/api/brain/ask?namespace=shared', edge.gateway), {
      ...{ key: ben, method: 'POST', json: { text: 'Who is there?' } },
    });
    expect((await problemOf(asked)).code).toBe('no_healthy_instance');
    const routes = await get('/api/brain/routes?namespace=shared&team=vision', ben);
    expect((await problemOf(routes)).code).toBe('forbidden');
  });

  it('let nobody in who opens a WebSocket as one team and connects as another', async () => {
    const bearer = `bearer.${Buffer.from(anna).toString('base64url')}`;
    const url = brokerUrl({ gateway: edge.gateway, namespace: 'shared', region: 'tokyo' });
    const opened = connectAsync(
      url,
      {
        ...{ protocolVersion: 5, reconnectPeriod: 0, username: 'key', password: ben },
        createWebsocket: (address: string) => new WebSocket(address, ['mqtt', bearer]) as never,
      },
      false,
    );

    await expect(opened).rejects.toThrow(/Bad User Name or Password/);
  });
});

describe('a node', () => {
  it('is published for by its own key alone while it is active, by no other one of its team', async () => {
    const own = await join(anna, 'node-a');
    await announce(own, 'node-a', 'tokyo');

    await expect(join(mate, 'node-a')).rejects.toThrow(/not authorized/i);
    const ownerOf = async () => {
      const nodes = await nodesFor(anna, 'shared');
      return nodes.find(({ node_id: id }) => id === 'node-a')?.owner;
    };
    const first = await ownerOf();
    // Its session is gone, and it is still listed for as long as any node may be silent.
    await own.endAsync();
    const other = await join(mate, 'node-a');
    await expect(announce(other, 'node-a', 'tokyo')).rejects.toThrow(/not authorized/i);
    expect(first).toMatch(/^key:/);
    expect(await ownerOf()).toBe(first);
  });
});

describe('the health of regions', () => {
  const region = async () =>
    RegionRecord.parse(await (await get(`/api/geo/regions/${ACTIVE}`, edge.admin)).json());
  const geoNodes = async (key: string) =>
    NodeList.parse(await (await get('/api/geo/nodes', key)).json()).nodes;

  it('is moved by no key with infer, however many nodes it announces and kills', async () => {
    const attacker = await keyOf('default', 'infer', 'discovery:read');
    const proper = await keyOf('default', ...NODE, 'geo:node');
    const witness = await join(proper, 'witness', { namespace: 'default', region: 'us-east-1' });
    const ids = ['n-1', 'n-2', 'n-3', 'n-4', 'n-5', 'n-6'];
    const attack = await Promise.all(
      ids.map(async (id) => {
        const client = await join(attacker, id, { namespace: 'default', region: ACTIVE });
        await announce(client, id, ACTIVE);
        return client;
      }),
    );
    await announce(witness, 'witness', 'us-east-1');
    // Their brokers report each second: by then the others would have been reported, too.
    await eventually(
      () => geoNodes(edge.admin),
      (nodes) => nodes.some(({ node_id: id }) => id === 'witness'),
    );
    for (const client of attack) client.stream.destroy();
    await eventually(
      () => nodesFor(attacker, 'default'),
      (nodes) => nodes.every(({ status, evidence }) => evidence || status === 'inactive'),
    );

    const listed = await nodesFor(attacker, 'default');
    expect(listed.map(({ node_id: id, evidence }) => [id, evidence]).toSorted()).toEqual([
      ...ids.map((id) => [id, false]),
      ['witness', true],
    ]);
    expect((await geoNodes(edge.admin)).map(({ node_id: id }) => id)).toEqual(['witness']);
    expect(await region()).toMatchObject({ active: true, status: 'online', node_count: 0 });
  });

  it('is reported by heartbeats of geo:node alone, for nodes of its team, by the key that began', async () => {
    const registered = await send(new URL('/api/geo/nodes', edge.gateway), {
      ...{ key: await keyOf('vision', 'geo:admin'), method: 'POST' },
      json: { node_id: 'beaten', region_id: 'eu-west-1', endpoint: '127.0.0.1:1' },
    });
    expect(registered.status).toBe(201);
    const beat = async (key: string) => {
      const url = new URL('/api/geo/nodes/beaten/heartbeat', edge.gateway);
      const answer = await send(url, { key, method: 'POST', json: {} });
      return answer.ok ? answer.status : (await problemOf(answer)).code;
    };
    const first = await keyOf('vision', 'geo:node');

    expect(await beat(anna)).toBe('forbidden');
    expect(await beat(await keyOf('audio', 'geo:node'))).toBe('node_not_found');
    expect(await beat(first)).toBe(200);
    expect(await beat(await keyOf('vision', 'geo:node'))).toBe('forbidden');
    expect(await beat(await keyOf('vision', 'geo:node', 'team:admin'))).toBe(200);
    expect(await beat(edge.admin)).toBe('node_not_found');
    const seen = async (team: string) =>
      (await geoNodes(await keyOf(team, 'geo:read'))).map(({ node_id: id }) => id);
    expect([await seen('vision'), await seen('audio')]).toEqual([['beaten'], []]);
    const removed = await send(new URL('/api/geo/nodes/beaten', edge.gateway), {
      ...{ key: await keyOf('audio', 'geo:admin'), method: 'DELETE' },
    });
    expect((await problemOf(removed)).code).toBe('node_not_found');
  });
});

describe('the brokers and sessions of a key', () => {
  it('are as many as its quotas say, and none is made beyond', async () => {
    const key = await keyOf('greedy', 'infer');
    for (const n of [1, 2, 3, 4, 5]) await join(key, 'c', { namespace: `g-${n}` });

    await expect(join(key, 'c', { namespace: 'g-6' })).rejects.toThrow(/quota exceeded/i);
    const refused = await upgrade(new URL('/mqtt/g-7/tokyo', edge.gateway), {
      ...{ authorization: `Bearer ${key}`, 'sec-websocket-protocol': 'mqtt' },
    });
    expect(refused.status).toBe(429);
    expect(JSON.parse(refused.body)).toMatchObject({
      ...{ code: 'rate_limited', quota: 'brokers', scope: 'owner' },
      ...{ limit: 5, used: 5, reset_s: 86_400 },
    });
    // Those that are there go on, and other keys have their own.
    for (let n = 1; n < 12; n++) await join(key, `d-${n}`, { namespace: 'g-1' });
    await expect(join(key, 'd-12', { namespace: 'g-1' })).rejects.toThrow(/quota exceeded/i);
    await join(await keyOf('greedy', 'infer'), 'mate', { namespace: 'g-1' });
  });
});
