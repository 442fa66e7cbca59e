import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServicesHealth } from '../../edge/contract/service.ts';
import { type Edge, problemOf, startEdge } from './harness.ts';
import { getRaw, sendRaw } from './raw-http.ts';
import { signedIn } from './identity-signer.ts';
import { closedAddress, startEcho, startUpstream, type Upstream } from './upstream.ts';

// Long enough for a machine that does more than this.
const TIMEOUT_MS = 2000;

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let edge: Edge;
let upstream: Upstream;
let echo: Upstream;

beforeAll(async () => {
  upstream = await startUpstream(async (request, response) => {
    switch (request.url) {
      case '/silent':
        return;
      case '/breaks':
        request.socket.destroy();
        return;
      case '/teapot':
        response.writeHead(418, 'Short and stout', {
          'set-cookie': ['a=1', 'b=2'],
          connection: 'close, x-hop',
          'x-hop': '1',
          'x-kept': '1',
          'content-type': 'text/tea',
        });
        response.end('tea');
        return;
      case '/redirect':
        response.writeHead(302, { location: '/elsewhere' }).end();
        return;
      case '/gzip':
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
        response.end(gzipSync('unpacked '.repeat(100)));
        return;
      case '/events':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\n');
        await once(request.socket, 'close');
        return;
      case '/ping-pong':
        // Answers each chunk as soon as it comes, before the request has ended.
        response.writeHead(200);
        request.on('data', (chunk: Buffer) => response.write(`got ${chunk}`));
        request.on('end', () => response.end('end'));
        return;
      case '/count':
        response.end(String(await sizeOf(request)));
        return;
      default: {
        const { method, url, headers } = request;
        const body = await textOf(request);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ method, url, headers, body }));
      }
    }
  });
  echo = await startEcho();
  const UPSTREAMS = {
    mirror: upstream.url,
    nested: `${upstream.url}/base/path/`,
    echo: echo.url,
    closed: await closedAddress(),
  };
  edge = await startEdge({ vars: { UPSTREAMS, UPSTREAM_TIMEOUT_MS: TIMEOUT_MS } });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await echo[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const send = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, edge.gateway), { redirect: 'manual', ...init });
const seenBy = async (answer: Response) => (await answer.json()) as Seen;

async function sizeOf(request: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const chunk of request) size += chunk.byteLength;
  return size;
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a forwarded request', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('may be a %s', async (method) => {
    const hasBody = !['GET', 'OPTIONS'].includes(method);

    const seen = await seenBy(
      await send('/mirror/a/b?q=1&q=2', { method, ...(hasBody && { body: 'x' }) }),
    );

    expect(seen).toMatchObject({ method, url: '/a/b?q=1&q=2', body: hasBody ? 'x' : '' });
  });

  it('reaches an address below a base path, and the root without a path', async () => {
    expect((await seenBy(await send('/nested/x?y=1'))).url).toBe('/base/path/x?y=1');
    expect((await seenBy(await send('/mirror'))).url).toBe('/');
    expect((await seenBy(await send('/mirror/'))).url).toBe('/');
  });

  it('keeps its path to the letter', async () => {
    const path = '/a%20b/%E6%97%A5;v=1/c+d//e?x=%2F&y=../z';

    expect((await seenBy(await send(`/mirror${path}`))).url).toBe(path);
  });

  it('carries its headers, its trace and where it came from', async () => {
    const headers = { 'x-spikegrid-identity': 'forged', 'x-request-id': 'r1', 'x-custom': 'v' };

    const seen = await seenBy(await send('/mirror/a', { headers }));

    expect(seen.headers).toMatchObject({
      'x-custom': 'v',
      'x-request-id': 'r1',
      'x-forwarded-prefix': '/mirror',
      'x-forwarded-host': edge.gateway.host,
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '127.0.0.1',
      'x-spikegrid-hops': '1',
    });
    const { caller } = signedIn(seen.headers);
    const scopes = expect.not.arrayContaining(['test:run']);
    expect(caller).toMatchObject({ kind: 'local', team: 'default', scopes });
    expect(seen.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-/);
    expect(seen.headers.host).toBe(new URL(upstream.url).host);
  });

  it('loses what concerns the connection to the gateway only', async () => {
    const answer = await sendRaw(
      edge.gateway,
      [
        'GET /mirror/a HTTP/1.1',
        `Host: ${edge.gateway.host}`,
        'Connection: close, X-Secret',
        'X-Secret: 1',
        'Keep-Alive: timeout=5',
        'TE: trailers',
        'Proxy-Authorization: Basic x',
        'Upgrade: h2c',
        '\r\n',
      ].join('\r\n'),
    );

    expect(answer.status).toBe(200);
    expect(answer.text).not.toMatch(/x-secret|timeout=5|trailers|proxy-authorization|h2c/i);
  });

  it('keeps its length, or its lack of one', async () => {
    const known = await seenBy(await send('/mirror/a', { method: 'POST', body: 'four' }));
    const streamed = await seenBy(
      await send('/mirror/a', {
        method: 'POST',
        body: new Blob(['four']).stream(),
        duplex: 'half',
      }),
    );

    expect(known.headers).toMatchObject({ 'content-length': '4' });
    expect(streamed).toMatchObject({ headers: { 'transfer-encoding': 'chunked' }, body: 'four' });
  });
});

describe('a forwarded answer', () => {
  it('keeps its status and headers, and loses those of the connection and cookies', async () => {
    const answer = await send('/mirror/teapot');

    expect([answer.status, answer.statusText]).toEqual([418, 'Short and stout']);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.headers.get('x-kept')).toBe('1');
    expect(answer.headers.has('x-hop')).toBe(false);
    expect(answer.headers.get('content-type')).toBe('text/tea');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.text()).toBe('tea');
  });

  it('is not followed where it redirects', async () => {
    const answer = await send('/mirror/redirect');

    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/elsewhere']);
  });

  it('stays compressed as it is', async () => {
    const answer = await send('/mirror/gzip', { headers: { 'accept-encoding': 'gzip' } });

    expect(await answer.text()).toBe('unpacked '.repeat(100));
  });

  it('to HEAD has no body', async () => {
    const answer = await send('/mirror/a', { method: 'HEAD' });

    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
  });
});

describe('streaming', () => {
  it('hands out the first event before the answer has ended', async () => {
    const stop = new AbortController();
    const answer = await send('/mirror/events', { signal: stop.signal });
    const { value } = await answer.body!.getReader().read();

    expect(new TextDecoder().decode(value)).toBe('data: 1\n\n');
    stop.abort();
  });

  it('goes both ways at once, chunk by chunk', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const pending = send('/mirror/ping-pong', { method: 'POST', body: readable, duplex: 'half' });
    const write = (text: string) => writer.write(new TextEncoder().encode(text));
    const firstWrite = write('one');
    const reader = (await pending).body!.pipeThrough(new TextDecoderStream()).getReader();
    await firstWrite;

    expect((await reader.read()).value).toBe('got one');
    await write('two');
    expect((await reader.read()).value).toBe('got two');
    await writer.close();
    expect((await reader.read()).value).toBe('end');
  });

  it('passes 64 MB of unknown length on', async () => {
    const chunk = new Uint8Array(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => (sent++ < 64 ? controller.enqueue(chunk) : controller.close()),
    });

    const answer = await send('/mirror/count', { method: 'POST', body, duplex: 'half' });

    expect(await answer.text()).toBe(String(64 * 1024 * 1024));
  });
});

describe('a WebSocket', () => {
  it('goes through, with its subprotocol and its closing', async () => {
    const url = new URL('/echo/logs?since=1', edge.gateway);
    url.protocol = 'ws:';
    const socket = new WebSocket(url, ['spikegrid.logs.v1']);
    const opened = once(socket, 'open');
    await opened;
    expect(socket.protocol).toBe('spikegrid.logs.v1');

    const message = once(socket, 'message');
    socket.send('hello');
    expect((await message)[0].data).toBe('echo:hello');

    const closed = once(socket, 'close');
    socket.close(4000, 'done');
    expect((await closed)[0]).toMatchObject({ code: 4000 });
  });
});

describe('a service that fails', () => {
  it('by breaking off is a 502 that may be tried again', async () => {
    const answer = await send('/mirror/breaks');

    expect(answer.status).toBe(502);
    expect(await problemOf(answer)).toMatchObject({
      code: 'upstream_error',
      instance: '/mirror/breaks',
      retryable: true,
    });
  });

  it('to answer in time is a 504', async () => {
    const answer = await send('/mirror/silent');

    expect(answer.status).toBe(504);
    expect(await problemOf(answer)).toMatchObject({
      code: 'upstream_timeout',
      detail: `The service did not answer within ${TIMEOUT_MS} ms.`,
    });
  });

  it('is not blamed for a caller who takes longer than that to send', async () => {
    const pieces = ['a', 'b', 'c'];
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 2));
        const piece = pieces.shift();
        if (piece) controller.enqueue(new TextEncoder().encode(piece));
        else controller.close();
      },
    });

    const answer = await send('/mirror/count', { method: 'POST', body, duplex: 'half' });

    expect([answer.status, await answer.text()]).toEqual([200, '3']);
  });

  it('is critical in the health of the services', async () => {
    const answer = await send('/services/health?strict=true');
    const health = ServicesHealth.parse(await answer.json());

    expect(answer.status).toBe(503);
    expect(health).toMatchObject({
      status: 'critical',
      services: { mirror: { status: 'passing' }, closed: { status: 'critical' } },
    });
    expect(health.services['closed']?.instances[0]?.last_error).toBe('it cannot be reached');
    expect((await send('/services/health')).status).toBe(200);
  });
});

describe('a path that climbs', () => {
  it.each([
    '/mirror/../health',
    '/mirror/%2e%2e/health',
    '/mirror/a%2fb',
    '/mirror/a%5c..%5cb',
    '/mirror/%252e%252e/b',
    '/registry/models/x/download/..%2f..%2fetc%2fpasswd',
    '/registry/models/x/download/%2e%2e',
  ])('%s is refused before it reaches a service', async (path) => {
    const answer = await getRaw(edge.gateway, path);

    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"code":"unsafe_path"');
  });
});

const throughGateway = (times: number) => send(`${'/gateway'.repeat(times)}/health/live`);

describe('a circle', () => {
  it('is cut after three passes', async () => {
    expect((await throughGateway(3)).status).toBe(200);
    const cut = await throughGateway(4);
    expect(cut.status).toBe(508);
    expect(await problemOf(cut)).toMatchObject({ code: 'loop_detected' });
  });
});
