import { connectAsync } from 'mqtt';
import { type KeptObject, KeptObjectList, ObjectPage } from '../../edge/backup/contract/backup.ts';
import { eventually } from './eventually.ts';
import { bytesOf, sha256, tiny } from './harness.ts';
import { send } from './keys-in-hand.ts';
import { smallJob } from './training-client.ts';

/** Where a platform is, and the key that may do everything there. */
export interface Door {
  readonly gateway: URL;
  readonly admin: string;
}

/** Facts about a filled platform that cannot be read back from it. */
export interface Filled {
  /** A key of somebody, and one that was revoked. */
  readonly key: string;
  readonly revoked: string;
  readonly jobId: string;
}

export const WEIGHTS = bytesOf(300_000, 7);
export const CORPUS = bytesOf(120_000, 9);
export const BROKER = 'plant/eu-west-1';

/** A way to send JSON to a platform that expects to be answered with success. */
export function callerOf({ gateway, admin }: Door, key = admin) {
  return async (method: string, path: string, json?: unknown): Promise<unknown> => {
    const answer = await send(new URL(path, gateway), { key, method, json });
    await refuseFailure(path, answer);
    return answer.status === 204 ? undefined : answer.json();
  };
}

async function refuseFailure(path: string, answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
}

/** Fills a platform with some of everything that it stores, through its gateway alone. */
export async function fillPlatform(door: Door, weights = WEIGHTS): Promise<Filled> {
  const call = callerOf(door);
  const { key } = (await call('POST', '/api/keys', {
    name: 'anna',
    scopes: ['memory:read', 'memory:write', 'registry:read', 'discovery:read', 'infer'],
  })) as { key: string };
  const gone = (await call('POST', '/api/keys', { name: 'ben', scopes: ['infer'] })) as {
    key: string;
    key_id: string;
  };
  await call('DELETE', `/api/keys/${gone.key_id}`);
  await fillModels(door, weights);
  const jobId = await fillTraining(door);
  await fillMemory(callerOf(door, key));
  await fillOperations(door);
  await retain(door, key, BROKER);
  await untilAtRest(door);
  return { key, revoked: gone.key, jobId };
}

/** Rows of work that goes on after its request was answered, and the objects that have such rows. */
const WAITING = /^\["(?:summaries|mqtt_sessions)"/;
const AT_WORK = ['Sensors', 'Discovery'];

/** Until all is stored that requests began: from then on the rows are those of one state. */
async function untilAtRest(door: Door): Promise<void> {
  const call = callerOf(door);
  const unfinished = async () => {
    const rows: string[] = [];
    // A broker becomes known a moment after its first client.
    for (const object of await objectsOf(call)) {
      if (AT_WORK.includes(object.class)) rows.push(...(await rowsOf(call, object)));
    }
    const isRetained = rows.some((row) => row.startsWith('["mqtt_retained"'));
    return [...rows.filter((row) => WAITING.test(row)), ...(isRetained ? [] : ['mqtt_retained'])];
  };
  await eventually(unfinished, (left) => left.length === 0);
}

type Call = ReturnType<typeof callerOf>;

const objectsOf = (call: Call) =>
  everyPage(async (cursor) => {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page = KeptObjectList.parse(await call('GET', `/api/backup/objects${query}`));
    return { items: page.objects, next: page.next_cursor };
  });

const rowsOf = (call: Call, object: KeptObject) =>
  everyPage(async (cursor) => {
    const page = ObjectPage.parse(await call('POST', '/api/backup/read', { object, cursor }));
    return { items: page.rows, next: page.next_cursor };
  });

async function everyPage<T>(
  read: (cursor?: string) => Promise<{ items: readonly T[]; next: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  for (let page = await read(); ; page = await read(page.next)) {
    items.push(...page.items);
    if (page.next === null) return items;
  }
}

async function fillModels(door: Door, weights: Uint8Array<ArrayBuffer>): Promise<void> {
  const call = callerOf(door);
  for (const version of ['1.0.0', '1.1.0']) {
    await call('POST', '/registry/models/register', {
      ...tiny,
      version,
      description: 'ピコ <tiny>',
    });
  }
  await put(door, '/registry/models/tiny/upload?version=1.0.0&filename=model.safetensors', weights);
  const config = new TextEncoder().encode('{"d_model":32}');
  await put(door, '/registry/models/tiny/upload?version=1.0.0&filename=config.json', config);
  await put(door, '/registry/models/tiny/upload?version=1.1.0&filename=config.json', config);
  await call('PUT', '/registry/models/tiny/aliases/best', { version: '1.0.0' });
}

async function fillTraining(door: Door): Promise<string> {
  const call = callerOf(door);
  const parts = [CORPUS.subarray(0, 65_536), CORPUS.subarray(65_536)] as Uint8Array<ArrayBuffer>[];
  for (const part of parts) await put(door, `/training/parts/${sha256(part)}`, part, 'PUT');
  const described = parts.map((part) => ({ digest: sha256(part), size_bytes: part.length }));
  const commit = { digest: sha256(CORPUS), size_bytes: CORPUS.length, parts: described };
  await call('PUT', '/training/datasets/corpus', commit);
  const job = (await call('POST', '/training/train', smallJob)) as { job_id: string };
  const other = (await call('POST', '/training/train', smallJob)) as { job_id: string };
  await call('POST', `/training/jobs/${other.job_id}/cancel`, {});
  return job.job_id;
}

async function fillMemory(call: ReturnType<typeof callerOf>): Promise<void> {
  for (const content of [
    'The pump stopped because the seal broke.',
    'シールが壊れたので、ポンプが止まった。',
    'Anna likes the blue valve.',
  ]) {
    await call('POST', '/v1/memory/store', { namespace: 'plant', content, user_id: 'anna' });
  }
  await call('POST', '/v1/sensor/register', {
    sensor_id: 'pump-7',
    type: 'temperature',
    unit: '°C',
  });
  const since = Date.now() - 600_000;
  const readings = [20.5, 21, -0.25, 22.125].map((value, i) => ({
    value,
    at: new Date(since + i * 1000).toISOString(),
  }));
  await call('POST', '/v1/sensor/sensors/pump-7/readings', { readings });
  // Readings are remembered once their minute is over.
  const remembered = () =>
    call('GET', '/v1/memory/memories?namespace=sensors').catch(() => ({ memories: [] }));
  await eventually(
    remembered,
    (found) => (found as { memories: readonly unknown[] }).memories.length > 0,
  );
}

async function fillOperations(door: Door): Promise<void> {
  const call = callerOf(door);
  const monitoring = '/monitoring/alerts';
  await call('POST', `${monitoring}/receivers`, {
    id: 'desk',
    name: 'Desk',
    url: 'https://hooks.example/desk',
  });
  await call('POST', `${monitoring}/rules`, {
    id: 'hot',
    name: 'hot',
    condition: { metric: 'heat', agg: 'last', threshold: 10 },
  });
  await call('POST', '/monitoring/metrics', {
    service_name: 'demo',
    metrics: [{ name: 'heat', type: 'gauge', value: 5, labels: { room: 'basement' } }],
  });
  await call('POST', '/distributed_brain/publish_log', {
    level: 'warn',
    module_type: 'visual',
    message: 'the seal of the pump is worn',
    event: 'wear',
  });
  await call('POST', '/services/register', { name: 'greeting', url: 'https://greeting.example' });
}

async function put(
  { gateway, admin }: Door,
  path: string,
  body: Uint8Array<ArrayBuffer>,
  method: 'POST' | 'PUT' = 'POST',
): Promise<void> {
  const headers = {
    authorization: `Bearer ${admin}`,
    'content-type': 'application/octet-stream',
  };
  const answer = await fetch(new URL(path, gateway), { method, headers, body });
  await refuseFailure(path, answer);
}

/** Publishes a retained message to the broker of a brain's part; it is acknowledged. */
async function retain(door: Door, key: string, place: string): Promise<void> {
  const client = await openMqtt(door, key, place);
  await client.publishAsync('notes/pump', 'worn', { qos: 1, retain: true });
  await client.endAsync();
}

/** The retained message of a broker under a topic. */
export async function retained(door: Door, key: string, place: string): Promise<string> {
  const client = await openMqtt(door, key, place);
  const { promise, resolve } = Promise.withResolvers<Uint8Array>();
  client.on('message', (_, payload) => resolve(payload));
  await client.subscribeAsync('notes/pump');
  const payload = await promise;
  await client.endAsync();
  return new TextDecoder().decode(payload);
}

const openMqtt = ({ gateway }: Door, key: string, place: string) =>
  connectAsync(
    `ws://${gateway.host}/mqtt/${place}`,
    {
      forceNativeWebSocket: true,
      protocolVersion: 5,
      reconnectPeriod: 0,
      username: 'key',
      password: key,
      clientId: 'notes',
    },
    false,
  );
