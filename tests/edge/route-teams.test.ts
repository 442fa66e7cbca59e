import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, formatApiKey } from '../../edge/access/contract/api-key.ts';
import { Scope } from '../../edge/contract/scope.ts';
import { codeIn } from './answer-log.ts';
import { sha256 } from './harness.ts';
import { type GuardedEdge, startGuardedEdge } from './keys-in-hand.ts';
import type { Described } from './openapi-schemas.ts';
import { all, operations } from './property-operations.ts';
import { exampleOf } from './property-requests.ts';
import { createWorld, type World } from './property-world.ts';
import { bearer, upgrade } from './upgrade.ts';
import { startEcho, type Upstream } from './upstream.ts';

const FORGED_KEY = formatApiKey(createApiKey());

/**
 * Every route of the API description that names something in its path, requested with the owner's key, with
 * another key of their team, and with one of another team: made from the same tables as the routes.
 */
const naming = all.filter(
  ([, { path, operation }]) => path.includes('{') && operation.security.length > 0,
);

/** Routes of the platform rather than of a team: any holder of the scope may use them. */
const OF_PLATFORM =
  /^\/(?:services|problems|test|plugin-host|monitoring\/(?:metrics|alerts)|api\/(?:keys|geo))\//;
const ofTeam = naming.filter(([, { path }]) => !OF_PLATFORM.test(path));

/** Everything that a key can be given but administration: only whose things they are tells callers apart. */
const ALL = Scope.options.filter((scope) => !['admin', 'test:run', 'team:admin'].includes(scope));

/** Where a stranger is answered otherwise than that there is nothing. */
const STRANGE: Readonly<Record<string, readonly [number, string]>> = {
  training_drainTrainer: [403, 'forbidden'],
  // Names of data sets are taken everywhere; the example's upload is for one that nobody has.
  training_putDataset: [409, 'already_exists'],
  training_createUpload: [201, ''],
  // Bytes have no owner before they are there, and those of the example are not what they say.
  training_putPart: [422, 'digest_mismatch'],
};

/** Where another key of the team may do what changes nothing of the owner's, or is refused for another reason. */
const MATES: Readonly<Record<string, number>> = {
  // The lease of the examples was never given, and their parts and models were never sent.
  training_heartbeat: 409,
  training_endLease: 409,
  training_commitCheckpoint: 404,
  training_contribute: 404,
  'edge-inference_loadModel': 404,
  // The job is none of language models.
  'lm-training_cancelJob': 404,
  // They only look.
  registry_checkCompatibility: 200,
  training_overrideUpload: 200,
  registry_overrideUpload: 200,
  training_createUpload: 201,
  training_putPart: 422,
  training_putDataset: 409,
};

let echo: Upstream;
let edge: GuardedEdge;
let world: World;
let keys: Record<'anna' | 'mate' | 'lead' | 'stranger', string>;

beforeAll(async () => {
  const limits = { RATE_LIMIT_PER_S: 1e6, RATE_LIMIT_BURST: 1e6, FAILED_AUTH_PER_MIN: 1e6 };
  echo = await startEcho();
  const targets = { TARGET_ALLOWLIST: ['127.0.0.1'], UPSTREAMS: { echo: echo.url } };
  edge = await startGuardedEdge({ vars: { ...limits, ...targets } });
  const made = async (team: string, scopes: readonly Scope[]) =>
    (await edge.keyFor(scopes, { team })).key;
  keys = {
    anna: await made('vision', ALL),
    mate: await made('vision', ALL),
    lead: await made('vision', [...ALL, 'team:admin']),
    stranger: await made('audio', [...ALL, 'team:admin']),
  };
  await putText('moby-dick');
  world = createWorld(edge.gateway, operations, bearer(keys.anna));
  await world.makeAnew();
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await echo[Symbol.asyncDispose]();
});

/** A data set by the name that the examples use; it is no record that an example makes. */
async function putText(name: string): Promise<void> {
  const bytes = new TextEncoder().encode('Call me Ishmael. '.repeat(100));
  const digest = sha256(bytes);
  const put = (path: string, body: string | Uint8Array<ArrayBuffer>, type: string) =>
    fetch(new URL(`/training${path}`, edge.gateway), {
      method: 'PUT',
      headers: { ...bearer(keys.anna), 'content-type': type },
      body,
    });
  await put(`/parts/${digest}`, bytes, 'application/octet-stream');
  const whole = { digest, size_bytes: bytes.length };
  const commit = JSON.stringify({ ...whole, parts: [whole] });
  const answer = await put(`/datasets/${name}`, commit, 'application/json');
  expect(answer.status).toBe(201);
}

/** Ids and names of what anna made, as paths carry them. */
function idsOfAnna(): readonly string[] {
  const named = ofTeam.flatMap(([, described]) => {
    const { path } = world.translate(exampleOf(described));
    const template = described.path.split('/');
    const [bare = ''] = path.split('?');
    return bare
      .split('/')
      .filter((_, i) => /^\{(?:id|name|sensor_id|memory_id)\}$/.test(template[i] ?? ''));
  });
  return [...new Set(named)];
}

async function ask(described: Described, who: keyof typeof keys) {
  const { path, headers, ...init } = world.translate(exampleOf(described));
  const answer = await fetch(new URL(path, edge.gateway), {
    ...init,
    headers: { ...headers, ...bearer(keys[who]) },
    signal: AbortSignal.timeout(5_000),
  });
  const text = answer.headers.get('content-type')?.includes('event-stream')
    ? await answer.body?.cancel().then(() => '')
    : await answer.text();
  return { path, status: answer.status, code: codeIn(text ?? ''), text: text ?? '' };
}

/** The responses to Anna wherever something of hers can be read, and the text of an alias and a job. */
async function annasView() {
  const reading = ofTeam.filter(([, { method }]) => method === 'GET' || method === 'HEAD');
  const view = new Map<string, string>();
  for (const [id, described] of reading) {
    const { status, text } = await ask(described, 'anna');
    const kept = status === 200 && /getAlias|getJob$|getDataset$/.test(id) ? text : '';
    view.set(id, `${status} ${kept.replace(/"(?:queue_position|status_reason)":[^,}]*/g, '')}`);
  }
  return view;
}

let before: Awaited<ReturnType<typeof annasView>>;
beforeAll(async () => void (before = await annasView()));

describe('requested with a key of another team', () => {
  it.each(ofTeam)('%s: is not there', async (id, described) => {
    const { status, code } = await ask(described, 'stranger');

    expect([status, code]).toEqual(STRANGE[id] ?? [404, described.method === 'HEAD' ? '' : code]);
  });

  it('is in no list', async () => {
    const lists = all.filter(
      ([, { method, path, operation }]) =>
        method === 'GET' && !path.includes('{') && operation.security.length > 0,
    );
    const ids = idsOfAnna();
    expect(ids.length).toBeGreaterThan(5);
    const seen: string[] = [];
    for (const [id, described] of lists) {
      const { text } = await ask(described, 'stranger').catch(() => ({ text: '' }));
      seen.push(...ids.filter((one) => text.includes(one)).map((one) => `${id}: ${one}`));
    }

    expect(seen).toEqual([]);
  });
});

describe('requested with another key of the team', () => {
  it.each(ofTeam)('%s: is read, and not changed', async (id, described) => {
    const { status } = await ask(described, 'mate');

    const isReading = described.method === 'GET' || described.method === 'HEAD';
    const isPrivate = /^\/v1\/(?:memory|sensor)\//.test(described.path);
    const own = Number((before.get(id) ?? '').split(' ')[0]);
    const expected = isPrivate ? 404 : isReading ? own : 403;
    expect(status).toBe(MATES[id] ?? expected);
  });
});

/** WebSocket routes: those of the tables, and two that are no endpoints. */
const SOCKETS = {
  '/ws/distributed_brain/logs': { path: '/ws/distributed_brain/logs', scope: 'logs:read' },
  '/services/connect': {
    path: '/services/connect?service=mine&instance=one',
    scope: 'service:connect',
  },
  '/mqtt/:namespace/:region': { path: '/mqtt/shared/tokyo', scope: 'infer' },
  '/:service': { path: '/echo/', scope: undefined },
} as const satisfies Record<string, { readonly path: string; readonly scope: Scope | undefined }>;
type Socket = keyof typeof SOCKETS;

/** The status of opening a socket; it is hung up at once. */
async function openedBy(key: string | undefined, path: string): Promise<number> {
  const protocol = path.startsWith('/mqtt/') ? { 'sec-websocket-protocol': 'mqtt' } : {};
  const headers = { ...protocol, ...(key !== undefined && bearer(key)) };
  const { status, socket } = await upgrade(new URL(path, edge.gateway), headers);
  socket?.destroy();
  return status;
}

describe('the sockets', () => {
  const listed = Object.entries(SOCKETS).map(([name, socket]) => ({ name, ...socket }));

  it('are those of the tables, and brokers and what services have', () => {
    const upgrading = all.filter(([, { operation }]) => '101' in operation.responses);

    expect(new Set(upgrading.map(([, { path }]) => path))).toEqual(
      new Set<string>(['/ws/distributed_brain/logs', '/services/connect'] satisfies Socket[]),
    );
  });

  it.each(listed)('$name requires a key with its scope', async ({ path, scope }) => {
    const weak = await edge.keyFor(['memory:read'], { team: 'vision' });
    const right = await edge.keyFor([scope ?? 'memory:read'], { team: 'vision' });

    // An MQTT client may present its key in CONNECT within five seconds; nothing is created before.
    expect(await openedBy(undefined, path)).toBe(path.startsWith('/mqtt/') ? 101 : 401);
    expect(await openedBy(FORGED_KEY, path)).toBe(401);
    expect(await openedBy(weak.key, path)).toBe(scope ? 403 : 101);
    expect(await openedBy(right.key, path)).toBe(101);
  });

  it('let nobody into the brain of another team, nor into the place of another key', async () => {
    const key = await edge.keyFor(['infer', 'service:connect'], { team: 'audio' });
    const headers = bearer((await edge.keyFor(['service:connect'], { team: 'vision' })).key);
    const place = '/services/connect?service=held&instance=one';
    const held = await upgrade(new URL(place, edge.gateway), headers);

    expect(await openedBy(key.key, '/mqtt/shared/tokyo?team=vision')).toBe(403);
    expect(await openedBy(key.key, place)).toBe(409);
    held.socket?.destroy();
  });
});

describe('what a key owns', () => {
  it('is as it was after all of that, and most of it is there', async () => {
    expect(await annasView()).toEqual(before);
    expect([...before.values()].filter((view) => view.startsWith('2')).length).toBeGreaterThan(20);
  });
});
