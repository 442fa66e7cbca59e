import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemOf } from './harness.ts';
import { send } from './keys-in-hand.ts';
import { openRequest } from './raw-http.ts';
import { createHosts, type HostedEdge, startHostedEdge } from './test-host-world.ts';

/** The documented rules for bodies and idempotency, for the one operation whose address alone allows nobody. */
const hosts = createHosts();
let edge: HostedEdge;
let key: string;
beforeAll(async () => {
  edge = await startHostedEdge(hosts);
  key = await edge.keyFor(['test:run']);
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  hosts.remove();
});

interface Asked {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

const ask = (body: string, headers: Readonly<Record<string, string>> = {}, query = '') =>
  fetch(new URL(`/test/run-tests${query}`, edge.gateway), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  });

it.each([
  ['of another type', 'unsupported_media_type', { headers: { 'content-type': 'text/plain' } }],
  ['that is not JSON', 'invalid_json', { body: '{' }],
  ['that is too large', 'payload_too_large', { body: `{"a":"${'a'.repeat(1024)}"}` }],
  ['with a query that nobody knows', 'invalid_parameter', { query: '?type=unit' }],
])('a body %s is refused: %s', async (_, code, asked) => {
  const { body = '{}', headers = {}, query = '' }: Asked = asked;

  expect((await problemOf(await ask(body, headers, query))).code).toBe(code);
});

it('a body that is cut off is refused', async () => {
  const another = await edge.keyFor(['test:run']);
  const request = openRequest(edge.gateway, [
    'POST /test/run-tests HTTP/1.1',
    `Host: ${edge.gateway.host}`,
    'Connection: close',
    'Content-Length: 10',
    'Content-Type: application/json',
    'Idempotency-Key: cut-off',
    `Authorization: Bearer ${another}`,
  ]);

  request.end();

  const { status, text } = await request.answer;
  expect([status, text]).toEqual([400, expect.stringContaining('"code":"body_cut_off"')]);
});

it('a request that is repeated runs no tests twice', async () => {
  const another = await edge.keyFor(['test:run']);
  const asked = (type: string) =>
    send(new URL('/test/run-tests', edge.gateway), {
      key: another,
      method: 'POST',
      json: { test_type: type },
      headers: { 'idempotency-key': 'once' },
    });
  const url = new URL('/test/test-status', edge.gateway);
  const status = async () => ((await (await send(url)).json()) as { status: string }).status;

  const first = asked('all');
  await expect.poll(status, { timeout: 20_000 }).toBe('running');
  const inFlight = await asked('all');
  hosts.letGo();
  const answer = (await (await first).json()) as { run_id: string };
  const again = await asked('all');
  const other = await asked('unit');

  expect((await problemOf(inFlight)).code).toBe('idempotency_in_flight');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await again.json()).toEqual(answer);
  expect((await problemOf(other)).code).toBe('idempotency_mismatch');
});
