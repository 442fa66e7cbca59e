import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frontEndpoints } from '../../edge/gateway/endpoints.ts';
import { TEST_HOST } from '../../edge/test-runs/endpoints.ts';
import { problemOf } from './harness.ts';
import { type GuardedEdge, type Sending, send, startGuardedEdge } from './keys-in-hand.ts';
import { closedAddress, startUpstream, type Upstream } from './upstream.ts';

/** A service that does what the header `x-do` says. */
let upstream: Upstream;
let edge: GuardedEdge;
/** Here nothing listens where the services should be. */
let empty: GuardedEdge;
let runKeys: ReadonlyMap<GuardedEdge, string>;
beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    switch (request.headers['x-do']) {
      case 'break':
        request.socket.destroy();
        break;
      case 'wait':
        break;
      case 'time out':
        response.writeHead(504, { 'content-type': 'application/problem+json' });
        response.end(JSON.stringify({ code: 'upstream_timeout' }));
        break;
      default: {
        const { url, method } = request;
        const place = request.headers['x-forwarded-prefix'] ?? '';
        response.end(JSON.stringify({ url, method, place }));
      }
    }
  });
  const nobody = await closedAddress();
  const at = (url: string) => ({ UPSTREAMS: { inference: url, [TEST_HOST]: url } });
  const local = { AUTH_MODE: 'local' };
  edge = await startGuardedEdge({
    vars: { ...at(upstream.url), ...local, UPSTREAM_TIMEOUT_MS: 500 },
  });
  empty = await startGuardedEdge({ vars: { ...at(nobody), ...local } });
  const made = [edge, empty].map(
    async (one) => [one, (await one.keyFor(['test:run'])).key] as const,
  );
  runKeys = new Map(await Promise.all(made));
});
afterAll(async () => {
  await Promise.all([edge, empty].map((one) => one[Symbol.asyncDispose]()));
  await upstream[Symbol.asyncDispose]();
});

const ID = 'run_01KAJ9W9A1B2C3D4E5F6G7H8J9';
const WAYS = [
  ['GET /test/test-status', {}],
  ['POST /test/run-tests', { isRun: true }],
  ['GET /test/runs', {}],
  [`GET /test/runs/${ID}`, {}],
  [`GET /test/runs/${ID}/output`, {}],
  ['POST /v1/infer', { json: { model_id: 'tiny', inputs: { text: 'x' } } }],
] as const satisfies readonly (readonly [string, { json?: object; isRun?: true }])[];

function ask(
  way: string,
  { json, isRun }: { json?: object; isRun?: true },
  headers = {},
  at = edge,
) {
  const [method = '', path = ''] = way.split(' ');
  const sending: Sending = { method, headers, ...(json && { json }) };
  const key = isRun && runKeys.get(at);
  return send(new URL(path, at.gateway), { ...sending, ...(key && { key }) });
}

describe.each(WAYS)('%s is handed on', (way, how) => {
  it('at its own path', async () => {
    const [method, url] = way.split(' ');

    expect(await (await ask(way, how)).json()).toMatchObject({ method, url, place: '' });
  });

  it.each([
    ['that breaks off', 'upstream_error', { 'x-do': 'break' }],
    ['that takes too long', 'upstream_timeout', { 'x-do': 'wait' }],
    ['in a circle', 'loop_detected', { 'x-spikegrid-hops': '3' }],
  ])('to a service %s: %s', async (_, code, headers) => {
    const isPatient = 'isRun' in how && code === 'upstream_timeout';
    const sent = isPatient ? { 'x-do': 'time out' } : headers;

    // The gateway waits for tests as long as they may run; that they took too long, their host says.
    expect(await (await ask(way, how, sent)).json()).toMatchObject({ code });
  });

  it('to nobody where no instance is well', async () => {
    const refused = async () => (await problemOf(await ask(way, how, {}, empty))).code;

    // Until it was probed for the first time, it is tried.
    await expect.poll(refused, { timeout: 10_000 }).toBe('no_healthy_instance');
  });
});

describe('what the gateway answers for others', () => {
  it('is not sent twice where it would run tests again', async () => {
    let asked = 0;
    await using host = await startUpstream((request, response) => {
      if (request.url?.startsWith('/test/run-tests')) asked += 1;
      const headers = { 'content-type': 'application/problem+json' };
      response.writeHead(request.url === '/health' ? 200 : 503, headers);
      response.end('{"code":"no_healthy_instance"}');
    });
    await using other = await startGuardedEdge({
      vars: { AUTH_MODE: 'local', UPSTREAMS: { [TEST_HOST]: host.url } },
    });
    const key = (await other.keyFor(['test:run'])).key;
    const url = new URL('/test/run-tests', other.gateway);

    await send(url, { key, method: 'POST', headers: { 'idempotency-key': 'once' } });

    expect(asked).toBe(1);
  });

  it('is the health of the gateway and the metrics of monitoring, also below /v1', async () => {
    const [health, metrics, same] = await Promise.all(
      ['/v1/health', '/v1/metrics', '/metrics'].map((path) => send(new URL(path, edge.gateway))),
    );

    expect(await health?.json()).toMatchObject({ status: 'ok', service: 'gateway' });
    expect(metrics?.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect([metrics?.status, same?.status]).toEqual([200, 200]);
    await Promise.all([metrics, same].map((answer) => answer?.body?.cancel()));
  });

  it('is refused where it is larger than any question', async () => {
    const { maxBodyBytes } = frontEndpoints.inferV1;
    const answer = await ask('POST /v1/infer', { json: { text: 'x'.repeat(maxBodyBytes) } });

    expect((await problemOf(answer)).code).toBe('payload_too_large');
  });

  it('says of /v1/infer where there is no inference service', async () => {
    await using alone = await startGuardedEdge({ vars: { AUTH_MODE: 'local' } });
    const answer = await ask('POST /v1/infer', { json: {} }, {}, alone);

    expect((await problemOf(answer)).code).toBe('service_not_found');
  });
});
