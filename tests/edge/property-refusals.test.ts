import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApiKey, formatApiKey } from '../../edge/access/contract/api-key.ts';
import { codeIn } from './answer-log.ts';
import { type Edge, postJson, startEdge } from './harness.ts';
import { type GuardedEdge, startGuardedEdge } from './keys-in-hand.ts';
import { judgeBy } from './openapi-schemas.ts';
import { type ExampleSender, exampleSender } from './property-answers.ts';
import { DIRECTED } from './property-directed.ts';
import {
  all,
  document,
  guarded,
  known,
  operationOf,
  operations,
  refusing,
  scoped,
  taking,
} from './property-operations.ts';
import { exampleOf } from './property-requests.ts';
import { createWorld, type World } from './property-world.ts';
import { openRequest, sendRaw } from './raw-http.ts';

const FORGED_KEY = formatApiKey(createApiKey());
const judge = judgeBy(document, { closed: true });

/** Everything may be done here by whoever comes from this machine. */
let local: Edge;
/** Here credentials are needed. */
let closed: GuardedEdge;
/** Here nobody may guess twice, and the keys of the issuer of tokens are out of reach. */
let wary: Edge;
/** Keys of `closed` with one scope each: an operation that asks for the one does not ask for the other. */
let weakKeys: { readonly infer: string; readonly train: string };
/** A token of that issuer. */
let token: string;
let world: World;
let atLocal: ExampleSender;
let atClosed: ExampleSender;
let atWary: ExampleSender;

const ISSUER = { JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'spikegrid' };

beforeAll(async () => {
  const limits = { RATE_LIMIT_PER_S: 1e6, RATE_LIMIT_BURST: 1e6, FAILED_AUTH_PER_MIN: 1e6 };
  const suspicious = { ...ISSUER, JWT_JWKS: 'http://127.0.0.1:9/', FAILED_AUTH_PER_MIN: 1 };
  [local, closed, wary] = await Promise.all([
    startEdge({ vars: { ...limits, TARGET_ALLOWLIST: ['127.0.0.1'] } }),
    startGuardedEdge({ vars: limits }),
    startEdge({ vars: { ...limits, ...suspicious } }),
  ]);
  weakKeys = {
    infer: (await closed.keyFor(['infer'])).key,
    train: (await closed.keyFor(['train'])).key,
  };
  token = await makeToken();
  world = createWorld(local.gateway, operations);
  await world.makeAnew();
  [atLocal, atClosed, atWary] = [local, closed, wary].map(({ gateway: base }) =>
    exampleSender({ document, judge, base }, world),
  ) as [ExampleSender, ExampleSender, ExampleSender];
});
afterAll(async () => {
  for (const edge of [local, closed, wary]) await edge[Symbol.asyncDispose]();
  vi.restoreAllMocks();
});

async function makeToken(): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA');
  return new SignJWT({ scope: 'admin' })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'unknown' })
    .setIssuer(ISSUER.JWT_ISSUER)
    .setAudience(ISSUER.JWT_AUDIENCE)
    .setSubject('someone')
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey);
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('a request that cannot be served', () => {
  it.each(DIRECTED)('$id: is refused with $code', async ({ id, code, change }) => {
    const described = operationOf(id);

    const { answer, fault } = await atLocal.send(described, change);

    expect(fault).toBe('');
    expect(await answer.json()).toMatchObject({ code });
  });

  it.each(refusing('payload_too_large'))('%s: with a large body', async (id, row) => {
    const headers = {
      'content-type': 'application/json',
      ...exampleOf(row).headers,
      'idempotency-key': `large-${id}`,
    };
    // Little more than most take.
    const body = `{"a":"${'a'.repeat(1024 * 1024)}"}`;

    const { fault } = await atLocal.send(row, { headers, body });

    expect(fault).toBe('');
  });

  it.each(taking)('%s: with a body of another type or not JSON', async (_, row) => {
    const [type = ''] = Object.keys(row.operation.requestBody?.content ?? {});

    const other = await atLocal.send(row, { headers: { 'content-type': 'image/png' } });
    const broken = await atLocal.send(row, { body: '{', headers: { 'content-type': type } });

    expect([other.fault, broken.fault]).toEqual(['', '']);
  });

  // Running tests takes a scope that no address alone grants: see test-runs-refused.test.ts.
  const cutOff = refusing('body_cut_off').filter(([id]) => id !== 'gateway_runTests');

  it.each(cutOff)('%s: whose body is cut off', async (id, described) => {
    const { method, path, headers: own } = world.translate(exampleOf(described));
    const headers = {
      'content-type': 'application/json',
      ...own,
      'idempotency-key': `cut-off-${id}`,
      // Headers of the other upload method.
      'x-http-method-override': 'PATCH',
      'upload-offset': '4',
    };
    const request = openRequest(local.gateway, [
      `${method} ${path} HTTP/1.1`,
      `Host: ${local.gateway.host}`,
      'Connection: close',
      'Content-Length: 10',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ]);

    request.end();

    const { status, text } = await request.answer;
    expect(status, path).toBe(400);
    expect(text).toContain('"code":"body_cut_off"');
  });

  it.each(all)('%s: for no host', async (_, { method, path }) => {
    const head = `${method} ${path.replaceAll(/[{}]/g, '')} HTTP/1.1\r\nHost: a b\r\n`;

    const { status } = await sendRaw(local.gateway, `${head}Connection: close\r\n\r\n`);

    expect(status).toBe(400);
  });

  // Those of services elsewhere take one that is there: generate.test.ts and handed-on.test.ts have it.
  const isElsewhere = ([id]: (typeof all)[number]) =>
    /^gateway_(?:generate|inferV1|\w*Test(?:s|Status|Runs?))$/.test(id);

  it.each(refusing('loop_detected').filter((row) => !isElsewhere(row)))(
    '%s: that runs in a circle',
    async (_, { method, path }) => {
      const url = new URL(path.replaceAll(/[{}]/g, ''), local.gateway);

      const answer = await fetch(url, { method, headers: { 'x-spikegrid-hops': '3' } });

      expect(answer.status).toBe(508);
    },
  );
});

describe('a caller who may not', () => {
  it.each(guarded)('%s: has no credentials', async (_, described) => {
    const { answer, fault } = await atClosed.send(described);

    expect(fault).toBe('');
    expect(answer.status).toBe(401);
  });

  it.each(known)('%s: has a forged key', async (_, described) => {
    const { answer, fault } = await atLocal.sendWith(described, bearer(FORGED_KEY));

    expect(fault).toBe('');
    expect(answer.status).toBe(401);
  });

  it.each(scoped)('%s: has a key of another scope', async (_, described) => {
    const asksToInfer = described.operation['x-required-scope'] === 'infer';
    const weakKey = asksToInfer ? weakKeys.train : weakKeys.infer;

    const { answer, fault } = await atClosed.sendWith(described, bearer(weakKey));

    expect(fault).toBe('');
    expect(answer.status).toBe(403);
  });

  it('gateway_createTicket: has a session, but not its CSRF token', async () => {
    const described = operationOf('gateway_createTicket');
    const signedIn = await postJson(new URL('/api/session', closed.gateway), { key: closed.admin });
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';');

    const { answer, fault } = await atClosed.sendWith(described, { cookie });

    expect(fault).toBe('');
    expect(answer.status).toBe(403);
  });

  it.each(all)('%s: is a page of another origin', async (_, described) => {
    const { fault } = await atLocal.sendWith(described, { origin: 'http://elsewhere.example' });

    expect(fault).toBe('');
  });

  it.each(refusing('rate_limited'))('%s: guesses keys', async (_, described) => {
    // The key in the example of signing in is no good here, either.
    await atWary.sendWith(described, bearer(FORGED_KEY));
    const { answer, fault } = await atWary.sendWith(described, bearer(FORGED_KEY));

    expect(fault).toBe('');
    expect(answer.status).toBe(429);
  });
});

describe('a token that cannot be checked now', () => {
  // Each time, the Worker says so, and its last words come late.
  beforeAll(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

  const checking = refusing('upstream_error').filter(([id]) => id !== 'gateway_signIn');

  it.each(checking)('%s: is a 502', async (_, described) => {
    const { answer } = await atWary.sendWith(described, bearer(token));

    expect(answer.status).toBe(502);
    if (described.method === 'HEAD') return;
    expect(codeIn(await answer.text())).toBe('upstream_error');
  });
});
