import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Health } from '../../edge/health/contract/health.ts';
import { ServiceList, ServicesHealth } from '../../edge/contract/service.ts';
import { type Edge, PLAIN_DASHBOARD, problemOf, startEdge } from './harness.ts';
import { sendRaw } from './raw-http.ts';

const LARGE_SCRIPT = 'console.log("spike");\n'.repeat(10_000);

let edge: Edge;
beforeAll(async () => {
  const dashboard = {
    ...PLAIN_DASHBOARD,
    'assets/large-4d5e6f.js': LARGE_SCRIPT,
    'favicon.png': 'no real picture',
  };
  edge = await startEdge({ dashboard });
});
afterAll(() => edge[Symbol.asyncDispose]());

const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, edge.gateway), init);
const getAsPerson = (path: string, init: RequestInit = {}) =>
  get(path, { ...init, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });

describe('health', () => {
  it('of the gateway looks at the dashboard and the registry', async () => {
    const answer = await get('/health');
    const health = Health.parse(await answer.json());

    expect(answer.status).toBe(200);
    expect(health).toMatchObject({ status: 'ok', service: 'gateway' });
    expect(Object.keys(health.checks)).toEqual(['dashboard', 'registry', 'logs']);
    expect(Math.abs(Date.parse(health.timestamp) - Date.now())).toBeLessThan(60_000);
  });

  it.each(['/health/live', '/health/ready'])('answers at %s', async (path) => {
    expect(Health.parse(await (await get(path)).json())).toMatchObject({ status: 'ok' });
  });

  it('of the registry looks at its database and its bucket', async () => {
    const health = Health.parse(await (await fetch(new URL('/health', edge.registry))).json());

    expect(health).toMatchObject({ status: 'ok', service: 'registry' });
    expect(Object.keys(health.checks)).toEqual(['database', 'files']);
  });
});

describe('services', () => {
  it('lists what is built in, with its health', async () => {
    const list = ServiceList.parse(await (await get('/services')).json());

    expect(list.total).toBe(6);
    expect(list.services.map(({ name, status }) => [name, status])).toEqual([
      ['gateway', 'passing'],
      ['training', 'passing'],
      ['lm-training', 'passing'],
      ['edge-inference', 'passing'],
      ['registry', 'passing'],
      ['monitoring', 'passing'],
    ]);
    expect(list.services[1]?.instances).toMatchObject([{ status: 'passing', in_flight: 0 }]);
  });

  it('sums their health up', async () => {
    const answer = await get('/services/health?strict=true');

    expect(answer.status).toBe(200);
    expect(ServicesHealth.parse(await answer.json())).toMatchObject({
      status: 'passing',
      services: { registry: { status: 'passing' } },
    });
  });

  it('refuses a parameter it does not know', async () => {
    const answer = await get('/services?nmae=x');

    expect(answer.status).toBe(400);
    expect(await problemOf(answer)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'nmae' }],
    });
  });
});

describe('the dashboard', () => {
  it.each(['/', '/lab', '/models', '/models/tiny', '/settings', '/lab/?lang=ja'])(
    'is served at %s, isolated and under a strict policy',
    async (path) => {
      const answer = await getAsPerson(path);

      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('<title>spikegrid</title>');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers.get('content-security-policy')).toMatch(
        /default-src 'self';.*'wasm-unsafe-eval';.*style-src 'self';.*worker-src 'self'/,
      );
    },
  );

  it('keeps hashed files for good and asks again for the others', async () => {
    const hashed = await get('/assets/main-1a2b3c.js');
    const icon = await get('/favicon.svg');

    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(hashed.headers.get('content-type')).toContain('text/javascript');
    // A worker's script needs this header of its own to run in an isolated page.
    expect(hashed.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(icon.headers.get('cache-control')).toBe('no-cache');
    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
  });

  it("lets the script that runs somebody's own code compute, and reach nobody", async () => {
    const sandbox = await get('/assets/plugin-sandbox-1a2b3c.js');

    expect(sandbox.status).toBe(200);
    // A worker takes the policy that its script came with: no connect-src, so no network.
    expect(sandbox.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' blob:",
    );
    expect(sandbox.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
  });

  it('answers 304 to a browser that has the page', async () => {
    const etag = (await get('/')).headers.get('etag') ?? '';

    const again = await get('/lab', { headers: { 'if-none-match': etag } });

    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
  });

  it('is compressed where the browser takes that, and still known by it afterwards', async () => {
    const path = '/assets/large-4d5e6f.js';
    const packed = await get(path, { headers: { 'accept-encoding': 'br, gzip' } });
    const plain = await get(path, { headers: { 'accept-encoding': 'identity' } });
    const icon = await get('/favicon.png', { headers: { 'accept-encoding': 'gzip' } });
    const etag = packed.headers.get('etag') ?? '';
    const again = await get(path, {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
    });

    expect([packed, plain, icon].map(({ headers }) => headers.get('content-encoding'))).toEqual([
      'gzip',
      null,
      null,
    ]);
    expect(await packed.text()).toBe(LARGE_SCRIPT);
    expect(await plain.text()).toBe(LARGE_SCRIPT);
    expect(etag).toBe(`W/${plain.headers.get('etag')}`);
    expect(packed.headers.get('vary')).toContain('accept-encoding');
    expect(again.status).toBe(304);
  });

  it('says by itself that a page does not exist, with the status of that', async () => {
    const etag = (await get('/')).headers.get('etag') ?? '';

    for (const path of ['/nowhere', '/nowhere/at/all']) {
      const answer = await get(path, { headers: { accept: 'text/html', 'if-none-match': etag } });

      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('<title>spikegrid</title>');
    }
  });

  it('does not hide a missing file or a service behind its page', async () => {
    const script = await get('/assets/old-000000.js');
    const models = await getAsPerson('/registry/models');

    expect(script.status).toBe(404);
    expect(await problemOf(script)).toMatchObject({ code: 'route_not_found' });
    expect(models.headers.get('content-type')).toBe('application/json');
  });

  it('answers HEAD without a body and refuses to be written to', async () => {
    const head = await get('/lab', { method: 'HEAD' });
    const post = await get('/lab', { method: 'POST', body: 'x' });

    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    expect(post.status).toBe(405);
    expect(post.headers.get('allow')).toBe('GET, HEAD');
    expect(await problemOf(post)).toMatchObject({ code: 'method_not_allowed' });
  });
});

describe('an unknown path', () => {
  it.each([
    ['/nowhere', 'route_not_found'],
    ['/api/nothing/status', 'route_not_found'],
    ['/services/nowhere', 'service_not_found'],
    ['/nowhere/at/all', 'service_not_found'],
    ['/registry/nowhere', 'route_not_found'],
  ])('%s is a problem for programs: %s', async (path, code) => {
    const answer = await get(path);

    expect(answer.status).toBe(404);
    expect(await problemOf(answer)).toMatchObject({ code, instance: path, retryable: false });
  });
});

describe('a method that a path does not take', () => {
  it('is answered 405 with those it takes', async () => {
    const answer = await get('/services', { method: 'DELETE' });

    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect((await problemOf(answer)).detail).toBe(
      '/services does not take DELETE, expected GET, HEAD, OPTIONS.',
    );
  });

  it('is listed by OPTIONS', async () => {
    const answer = await get('/registry/models/register', { method: 'OPTIONS' });

    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  });
});

describe('a trace', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

  it('is taken over, with a span of our own, and echoed', async () => {
    const headers = { traceparent, 'x-request-id': 'mine-1' };

    for (const path of ['/health', '/registry/models', '/lab']) {
      const answer = await get(path, { headers });

      expect(answer.headers.get('x-request-id')).toBe('mine-1');
      const echoed = answer.headers.get('traceparent');
      expect(echoed).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
      expect(echoed).not.toBe(traceparent);
    }
  });

  it('is in the problem document, through the gateway too', async () => {
    const problem = await problemOf(
      await get('/registry/models/none', { headers: { traceparent } }),
    );

    expect(problem).toMatchObject({ trace_id: traceId, instance: '/registry/models/none' });
  });

  it.each(['00-zz-00f067aa0ba902b7-01', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'x'])(
    'that reads %s is replaced by a new one',
    async (broken) => {
      const answer = await get('/health', {
        headers: { traceparent: broken, 'x-request-id': 'a b' },
      });

      expect(answer.headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
    },
  );
});

describe('a request that is not well formed', () => {
  it('for its host is an error, not a crash', async () => {
    const answer = await sendRaw(
      edge.gateway,
      'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    );

    expect(answer.status).toBe(400);
  });
});
