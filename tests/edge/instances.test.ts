import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceRecord, type ServiceRegistrationInput } from '../../edge/contract/service.ts';
import { type Edge, postJson, problemOf, startEdge } from './harness.ts';
import { startInstance } from './instance.ts';
import { signedIn } from './identity-signer.ts';
import { closedAddress, startEcho, startUpstream } from './upstream.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ vars: { TARGET_ALLOWLIST: ['127.0.0.0/8'] } });
});
afterAll(() => edge[Symbol.asyncDispose]());

/** Asked once and then hardly ever: what these tests see, requests found out. */
const SELDOM = { interval_s: 3600, failures_before_critical: 20 };

async function register(body: ServiceRegistrationInput): Promise<ServiceRecord> {
  const answer = await postJson(new URL('/services/register', edge.gateway), body);
  expect([200, 201]).toContain(answer.status);
  return recordOf(body.name);
}

async function recordOf(name: string): Promise<ServiceRecord> {
  const answer = await fetch(new URL(`/services/${name}`, edge.gateway));
  return ServiceRecord.parse(await answer.json());
}

const send = (path: string, init: RequestInit = {}) => fetch(new URL(path, edge.gateway), init);
const textOf = async (path: string, init: RequestInit = {}) => (await send(path, init)).text();

/** A service whose instance answers each request but those for its health with this status. */
const answering = (status: () => number, name: string) =>
  startUpstream((request, response) => {
    request.resume();
    if (request.url !== '/health') response.statusCode = status();
    request.on('end', () => response.end(name));
  });

describe('several instances', () => {
  it('share the requests', async () => {
    await using a = await answering(() => 200, 'a');
    await using b = await answering(() => 200, 'b');
    await register({ name: 'shared', instances: [{ url: a.url }, { url: b.url }] });

    const seen = await Promise.all(Array.from({ length: 60 }, () => textOf('/shared/x')));

    const fromA = seen.filter((text) => text === 'a').length;
    expect(seen.filter((text) => text === 'b').length).toBe(60 - fromA);
    expect(fromA).toBeGreaterThan(10);
    expect(fromA).toBeLessThan(50);
  });

  it('of the region a request names come first', async () => {
    await using a = await answering(() => 200, 'a');
    await using b = await answering(() => 200, 'b');
    await register({
      name: 'zoned',
      instances: [
        { url: a.url, region_id: 'tokyo' },
        { url: b.url, region_id: 'virginia' },
      ],
    });

    for (const [region, text] of [
      ['tokyo', 'a'],
      ['virginia', 'b'],
    ] as const) {
      const headers = { 'x-spikegrid-region': region };
      const seen = await Promise.all(
        Array.from({ length: 10 }, () => textOf('/zoned/x', { headers })),
      );
      expect(new Set(seen)).toEqual(new Set([text]));
    }
  });

  it('take over from one that fails, for requests that may be sent twice', async () => {
    await using sick = await answering(() => 503, 'sick');
    await using well = await answering(() => 200, 'well');
    const instances = [{ url: sick.url }, { url: well.url }];
    await register({ name: 'covered', instances, health: SELDOM });
    const small = { method: 'POST', body: 'x', headers: { 'idempotency-key': 'k' } };

    for (const init of [{}, { method: 'PUT', body: 'x' }, { method: 'DELETE' }, small]) {
      expect(await textOf('/covered/x', init)).toBe('well');
    }
  });

  it('do not get a request twice that must be carried out once', async () => {
    let asked = 0;
    const answerAndCount = () => {
      asked += 1;
      return 503;
    };
    await using a = await answering(answerAndCount, 'a');
    await using b = await answering(answerAndCount, 'b');
    const instances = [{ url: a.url }, { url: b.url }];
    await register({ name: 'once', instances, health: SELDOM });
    const large = { 'idempotency-key': 'k' };

    const plain = await send('/once/x', { method: 'POST', body: 'x' });
    const tooLarge = await send('/once/x', {
      method: 'POST',
      body: 'x'.repeat(100_000),
      headers: large,
    });

    expect([plain.status, tooLarge.status, asked]).toEqual([503, 503, 2]);
    expect((await send('/once/x')).status).toBe(503);
    expect(asked).toBe(4);
  });

  it('lose one that failed five times in a row, and never more than half', async () => {
    await using sick = await answering(() => 500, 'sick');
    await using well = await answering(() => 200, 'well');
    const instances = [
      { id: 'sick', url: sick.url },
      { id: 'well', url: well.url },
    ];
    await register({ name: 'ejecting', instances, health: SELDOM });

    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) statuses.push((await send('/ejecting/x')).status);

    expect(statuses.filter((status) => status === 500)).toHaveLength(5);
    const [first, second] = (await recordOf('ejecting')).instances;
    expect(first).toMatchObject({ id: 'sick', status: 'passing', last_error: 'it answered 500' });
    const leftMs = Date.parse(first?.ejected_until ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(20_000);
    expect(leftMs).toBeLessThanOrEqual(30_000);
    expect(second?.ejected_until).toBeNull();
  });

  it('are retried for a fifth of the requests at most, and ten', async () => {
    let asked = 0;
    const countAndFail = () => {
      asked += 1;
      return 503;
    };
    await using a = await answering(countAndFail, 'a');
    await using b = await answering(countAndFail, 'b');
    await register({ name: 'budget', instances: [{ url: a.url }, { url: b.url }], health: SELDOM });

    for (let i = 0; i < 100; i++) await (await send('/budget/x')).body?.cancel();

    expect(asked).toBeLessThanOrEqual(100 + 20 + 10);
    expect(asked).toBeGreaterThan(120);
  });
});

describe('a registered service', () => {
  it('that has gone is a 502, until the probes find out', async () => {
    const instance = await startInstance('gone');
    await register({ name: 'gone', url: instance.url, health: SELDOM });
    expect((await send('/gone/x')).status).toBe(200);
    await instance.kill();

    const answer = await send('/gone/x');

    expect(answer.status).toBe(502);
    expect(await problemOf(answer)).toMatchObject({ code: 'upstream_error' });
  });

  it('learns who calls, and gets nothing it could use in their name', async () => {
    await using mirror = await startUpstream((request, response) => {
      response.setHeader('set-cookie', ['spikegrid_session=stolen; Path=/', 'its=own']);
      response.end(JSON.stringify({ url: request.url, headers: request.headers }));
    });
    await register({ name: 'nosy', url: mirror.url });

    const answer = await send('/nosy/x?a=1&ticket=secret&b=2', {
      headers: {
        cookie: 'theme=dark',
        'x-spikegrid-csrf': 'secret',
        'cf-access-jwt-assertion': 'secret',
        'x-spikegrid-identity': 'forged',
      },
    });
    const text = await answer.text();

    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(text).not.toMatch(/secret|forged/);
    const { url, headers } = JSON.parse(text);
    expect([url, headers.cookie]).toEqual(['/x?a=1&b=2', undefined]);
    expect(signedIn(headers)).toMatchObject({ htu: url, caller: { kind: 'local' } });
  });

  it('gets WebSockets, message by message in both directions', async () => {
    await using echo = await startEcho();
    await register({ name: 'talking', url: echo.url });
    const url = new URL('/talking/', edge.gateway);
    url.protocol = 'ws:';
    const socket = new WebSocket(url, ['spikegrid.logs.v1']);
    await once(socket, 'open');
    const messages: string[] = [];
    socket.addEventListener('message', ({ data }) => messages.push(String(data)));

    for (const text of ['one', 'two', 'three']) {
      const message = once(socket, 'message');
      socket.send(text);
      await message;
    }

    expect(messages).toEqual(['echo:one', 'echo:two', 'echo:three']);
    socket.close();
  });

  it('sees that the caller has gone, and is no longer busy with him', async () => {
    let gone = 0;
    await using slow = await startUpstream((request, response) => {
      if (request.url === '/health') return void response.end('ok');
      response.on('close', () => (gone += 1));
      if (request.url === '/never') return;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    await register({ name: 'slow', url: slow.url });
    const busy = async () => (await recordOf('slow')).instances[0]?.in_flight;
    const callers = ['/slow/never', '/slow/events'].map((path) => {
      const socket = connect(Number(edge.gateway.port), edge.gateway.hostname);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${edge.gateway.host}\r\n\r\n`);
      return socket.on('error', () => {});
    });
    await once(callers[1]!, 'data');
    await expect.poll(busy).toBe(1);

    // The runtime notices a reset at once, and one that only stops sending when it writes again.
    for (const socket of callers) socket.resetAndDestroy();

    await expect.poll(() => gone, { timeout: 5000 }).toBe(2);
    await expect.poll(busy, { timeout: 5000 }).toBe(0);
    expect((await recordOf('slow')).instances[0]?.consecutive_failures).toBe(0);
  });
});

describe('the legacy path', () => {
  it('says that it is one, and goes to the inference service', async () => {
    const missing = await postJson(new URL('/api/generate', edge.gateway), { prompt: 'x' });
    expect(missing.status).toBe(404);
    expect(await problemOf(missing)).toMatchObject({ code: 'service_not_found' });

    await using inference = await startUpstream(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.end(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
    });
    await register({ name: 'inference', url: inference.url });
    const answer = await postJson(new URL('/api/generate', edge.gateway), { prompt: 'x' });

    expect(await answer.text()).toBe('POST /infer {"prompt":"x"}');
    expect(answer.headers.get('deprecation')).toMatch(/^@\d{10}$/);
    const halfAYear = 180 * 86_400_000;
    const since = Number(answer.headers.get('deprecation')?.slice(1)) * 1000;
    expect(Date.parse(answer.headers.get('sunset') ?? '') - since).toBeGreaterThan(halfAYear);
    expect(answer.headers.get('link')).toBe('</inference/infer>; rel="successor-version"');
  });
});

describe('an instance that is killed under load', () => {
  it('costs no request that may be sent twice', async () => {
    await using a = await startInstance('a');
    await using b = await startInstance('b');
    await using c = await startInstance('c');
    const instances = [a, b, c].map(({ name, url }) => ({ id: name, url }));
    await register({ name: 'loaded', instances, health: { interval_s: 5, timeout_s: 5 } });
    const answers: string[] = [];
    let sent = 0;
    // Callers that wait for their answer: as few hang on b when it dies on a slow machine, too.
    const call = async () => {
      while (sent < 500) {
        sent += 1;
        const answer = await send('/loaded/x', sent % 4 === 0 ? { method: 'PUT', body: '{}' } : {});
        answers.push(`${answer.status} ${await answer.text()}`);
        if (answers.length === 200) void b.kill();
      }
    };
    await Promise.all(Array.from({ length: 16 }, call));

    const served = (name: string) =>
      answers.filter((text) => text === `200 {"instance":"${name}"}`).length;
    expect(answers.filter((text) => !text.startsWith('200'))).toEqual([]);
    expect(served('a') + served('b') + served('c')).toBe(answers.length);
    expect(served('b')).toBeGreaterThan(25);
    expect(served('b')).toBeLessThan(125);
  });

  it('leaves a 503 that says why where no other is left', async () => {
    const instances = [{ url: await closedAddress() }, { url: await closedAddress() }];
    await register({ name: 'dead', instances });

    const answer = await send('/dead/x');

    expect(answer.status).toBe(503);
    expect((await problemOf(answer)).detail).toBe(
      'None of 2 instances of dead is healthy: it cannot be reached.',
    );
  });
});
