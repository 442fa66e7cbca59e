import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, formatApiKey, hashSecret } from '../../edge/contract/api-key.ts';
import { CreatedKey } from '../../edge/contract/keys.ts';
import type { OpenApiDocument } from '../../edge/openapi/document.ts';
import { documentOf } from '../../edge/openapi/platform.ts';
import { type Edge, startEdge } from './harness.ts';
import { type Described, judgeBy, operationsIn } from './openapi-schemas.ts';
import { type Checked, type Checks, coverageOf, sendAndCheck } from './property-answers.ts';
import { DIRECTED } from './property-directed.ts';
import { ELSEWHERE } from './property-elsewhere.ts';
import { exampleOf, requestsOf, type Sent } from './property-requests.ts';
import { createWorld, type World } from './property-world.ts';
import { sendRaw } from './raw-http.ts';

const RUNS = 30;
const SEED = 4;
const FORGED_KEY = formatApiKey(createApiKey());

const document = JSON.parse(JSON.stringify(documentOf('gateway'))) as OpenApiDocument;
const operations = operationsIn(document);
const coverage = coverageOf(document);

type Row = readonly [string, Described];

/** What makes things first, what takes them away last, and parts before the whole. */
const ORDER = ['POST', 'PUT', 'OPTIONS', 'GET', 'HEAD', 'PATCH', 'DELETE'];
const all: readonly Row[] = operations
  .toSorted(
    (a, b) =>
      ORDER.indexOf(a.method) - ORDER.indexOf(b.method) ||
      (a.method === 'DELETE' ? b.path.length - a.path.length : 0),
  )
  .map((described) => [described.id, described]);

const guarded = all.filter(([, { operation }]) => operation.security.length > 0);
const scoped = guarded.filter(([, { operation }]) => operation.security[0]?.['bearer']?.length);
/** Operations that want to know who calls, even where nobody has to say; signing in is not one. */
const known = all.filter(
  ([id, { operation }]) => '401' in operation.responses && id !== 'gateway_signIn',
);
const taking = all.filter(([, { operation }]) => operation.requestBody);
const repeatable = all.filter(([, { operation }]) =>
  operation.parameters?.some(({ name }) => name === 'idempotency-key'),
);
const forwarded = all.filter(([, { path }]) => /^\/(registry|monitoring)\//.test(path));

/** Everything may be done here by whoever comes from this machine. */
let local: Edge;
/** Here credentials are needed. */
let closed: Edge;
/** A key of `closed`, with a scope that no operation asks for. */
let weakKey: string;
let world: World;
let checks: Checks;

beforeAll(async () => {
  const { id, secret } = createApiKey();
  const limits = { RATE_LIMIT_PER_S: 1e6, RATE_LIMIT_BURST: 1e6, FAILED_AUTH_PER_MIN: 1e6 };
  const BOOTSTRAP_KEY = `${id}:${await hashSecret(secret)}`;
  local = await startEdge({ vars: { ...limits, TARGET_ALLOWLIST: ['127.0.0.1'] } });
  closed = await startEdge({ vars: { ...limits, AUTH_MODE: 'required', BOOTSTRAP_KEY } });
  weakKey = await makeKey(formatApiKey({ id, secret }), ['logs:read']);
  world = createWorld(local.gateway, operations);
  checks = { document, coverage, base: local.gateway, judge: judgeBy(document, { closed: true }) };
});
afterAll(async () => {
  report();
  await local[Symbol.asyncDispose]();
  await closed[Symbol.asyncDispose]();
});

/** Asks the edge that needs credentials for a key. */
async function makeKey(admin: string, scopes: readonly string[]): Promise<string> {
  const answer = await fetch(new URL('/api/keys', closed.gateway), {
    method: 'POST',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'weak', scopes }),
  });
  return CreatedKey.parse(await answer.json()).key;
}

/** Sends the example of an operation, changed as asked. */
function send(described: Described, change: Partial<Sent> = {}): Promise<Checked> {
  const request = { ...exampleOf(described), ...change };
  return sendAndCheck(checks, described, world.translate(request));
}

/** Sends the example of an operation with headers beside its own. */
function sendWith(described: Described, headers: Readonly<Record<string, string>>) {
  return send(described, { headers: { ...exampleOf(described).headers, ...headers } });
}

describe('the example of an operation', () => {
  beforeAll(() => world.rename());

  it.each(all)('%s is answered as documented, twice', async (_, described) => {
    const first = await send(described);
    await world.learn(described, first.answer);
    const second = await send(described);

    expect([first.fault, second.fault]).toEqual(['', '']);
  });
});

describe('any request', () => {
  let isWhole = false;

  it.each(all)('%s is answered as documented', async (_, described) => {
    if (!isWhole) await world.makeAnew();
    isWhole = described.method !== 'DELETE';

    const answered = fc.asyncProperty(requestsOf(document, described), async (request) => {
      const { fault } = await send(described, request);
      if (fault !== '') throw new Error(fault);
    });
    const details = await fc.check(answered, { numRuns: RUNS, seed: SEED, endOnFailure: true });

    expect(fc.defaultReportMessage(details)).toBeUndefined();
  });
});

describe('an Idempotency-Key', () => {
  beforeAll(() => world.rename());

  it.each(repeatable)('%s: holds for one request', async (id, described) => {
    const { body: text } = exampleOf(described);
    const body = text === undefined ? '{}' : `${String(text)} `;
    const headers = { 'content-type': 'application/json', 'idempotency-key': id };

    const first = await sendWith(described, { 'idempotency-key': id });
    const second = await sendWith(described, { 'idempotency-key': id });
    const other = await send(described, { headers, body });

    expect([first.fault, second.fault, other.fault]).toEqual(['', '', '']);
  });
});

describe('a request that cannot be served', () => {
  beforeAll(() => world.makeAnew());

  it.each(DIRECTED)('$id: is refused with $code', async ({ id, code, change }) => {
    const described = operations.find((operation) => operation.id === id)!;

    const { answer, fault } = await send(described, change);

    expect(fault).toBe('');
    expect(await answer.json()).toMatchObject({ code });
  });

  it.each(guarded)('%s: without credentials', async (_, described) => {
    const strict = { ...checks, base: closed.gateway };

    const { answer, fault } = await sendAndCheck(strict, described, exampleOf(described));

    expect(fault).toBe('');
    expect(answer.status).toBe(401);
  });

  it.each(known)('%s: with a forged key', async (_, described) => {
    const { answer, fault } = await sendWith(described, { authorization: `Bearer ${FORGED_KEY}` });

    expect(fault).toBe('');
    expect(answer.status).toBe(401);
  });

  it.each(scoped)('%s: with a key of another scope', async (_, described) => {
    const example = exampleOf(described);
    const headers = { ...example.headers, authorization: `Bearer ${weakKey}` };
    const strict = { ...checks, base: closed.gateway };

    const { answer, fault } = await sendAndCheck(strict, described, { ...example, headers });

    expect(fault).toBe('');
    expect(answer.status).toBe(403);
  });

  it.each(taking)(
    '%s: with a body that is too large, of another type or cut off',
    async (_, row) => {
      const [type = ''] = Object.keys(row.operation.requestBody?.content ?? {});

      const large = await send(row, { body: `{"a":"${'a'.repeat(1024 * 1024)}"}` });
      const other = await send(row, { headers: { 'content-type': 'image/png' } });
      const broken = await send(row, { body: '{', headers: { 'content-type': type } });

      expect([large.fault, other.fault, broken.fault]).toEqual(['', '', '']);
    },
  );

  it.each(all)('%s: from a page of another origin', async (_, described) => {
    const { fault } = await sendWith(described, { origin: 'http://elsewhere.example' });

    expect(fault).toBe('');
  });

  it.each(forwarded)('%s: that runs in a circle', async (id, { method, path }) => {
    const url = new URL(path.replaceAll(/[{}]/g, ''), local.gateway);

    const answer = await fetch(url, { method, headers: { 'x-spikegrid-hops': '3' } });

    expect(answer.status).toBe(508);
    coverage.seen.add(`${id} 508 loop_detected`);
  });

  it.each(all)('%s: for no host', async (id, { method, path }) => {
    const head = `${method} ${path.replaceAll(/[{}]/g, '')} HTTP/1.1\r\nHost: a b\r\n`;

    const { status } = await sendRaw(local.gateway, `${head}Connection: close\r\n\r\n`);

    expect(status).toBe(400);
    coverage.seen.add(`${id} 400 invalid_parameter`);
  });
});

/** Which documented answers this suite reached, which another one does, and which none. */
function report(): void {
  const missing = [...coverage.documented].filter((answer) => !coverage.seen.has(answer));
  const keyOf = (answer: string) => (answer in ELSEWHERE ? answer : (answer.split(' ')[2] ?? ''));
  const [elsewhere, never] = [true, false].map((isElsewhere) =>
    missing.filter((answer) => keyOf(answer) in ELSEWHERE === isElsewhere),
  );
  const reached = coverage.documented.size - missing.length;
  const reasons = Object.entries(Object.groupBy(elsewhere ?? [], keyOf)).map(
    ([key, answers = []]) => `  ${answers.length} x ${key}: ${ELSEWHERE[key]}`,
  );
  console.log(
    [
      `${reached} of ${coverage.documented.size} documented answers were reached here.`,
      `${elsewhere?.length} are not for a single request:`,
      ...reasons,
      `${never?.length} were not reached:`,
      ...(never ?? []).map((answer) => `  ${answer}`),
    ].join('\n'),
  );
}
