import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from './harness.ts';
import { openRequest, sendRaw } from './raw-http.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const TIMEOUT_MS = 400;
/** More than three times as much, as the slow body below takes. */
const STALL_MS = 1_500;

describe('a body that goes on to a service', () => {
  let edge: Edge;
  let service: Upstream;
  beforeAll(async () => {
    service = await startUpstream((request, response) => {
      // Nothing reads a body that is not asked for.
      if (request.url === '/reads') request.resume().on('end', () => response.end('read'));
      else if (request.url === '/health') response.end();
    });
    const vars = {
      UPSTREAM_TIMEOUT_MS: TIMEOUT_MS,
      UPSTREAMS: { lazy: service.url },
      BODY_STALL_MS: STALL_MS,
      BODY_BYTES_PER_S: 1_000,
    };
    edge = await startEdge({ vars });
  });
  afterAll(async () => {
    await edge[Symbol.asyncDispose]();
    await service[Symbol.asyncDispose]();
  });

  const post = (path: string, bytes: number) =>
    openRequest(edge.gateway, [
      `POST /lazy${path} HTTP/1.1`,
      `Host: ${edge.gateway.host}`,
      'Connection: close',
      'Content-Type: application/octet-stream',
      `Content-Length: ${bytes}`,
    ]);

  it('which does not read it is answered as any service that hangs', async () => {
    // More than the sockets between us hold.
    const bytes = 32 * 1024 * 1024;
    const request = post('/ignores', bytes);
    void request.write(new Uint8Array(bytes));

    expect((await request.answer).status).toBe(504);
  });

  it.each(['/lazy/reads', '/registry/models'])('means nothing with a GET: %s', async (path) => {
    const { host } = edge.gateway;
    const head = ['Connection: close', `Host: ${host}`, 'Content-Length: 2'].join('\r\n');

    const { status } = await sendRaw(edge.gateway, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n{}`);

    expect(status).toBe(200);
  });

  it('may come slowly: the service cannot answer before it has everything', async () => {
    const request = post('/reads', 6);
    for (let i = 0; i < 3; i++) {
      await request.write(new TextEncoder().encode('ab'));
      // As slow as the service may be, three times over: a slow caller is no event to wait for.
      await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
    }

    expect((await request.answer).status).toBe(200);
  });

  /** Sends so many bytes every 50 ms until there is an answer, which is that and how long it took. */
  async function trickle(url: URL, bytes: number, all = 100_000) {
    const socket = connect(Number(url.port), url.hostname);
    const began = Date.now();
    const head = [
      `POST ${url.pathname}${url.search} HTTP/1.1`,
      `Host: ${url.host}`,
      'Connection: close',
      'Content-Type: application/json',
      `Content-Length: ${all}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    let left = all;
    const timer = setInterval(() => {
      const count = Math.min(left, bytes);
      left -= count;
      if (count > 0) socket.write(' '.repeat(count));
    }, 50);
    socket.on('error', () => socket.destroy());
    const text = await readText(socket);
    clearInterval(timer);
    return { text, ms: Date.now() - began };
  }

  it('is answered 408 where it trickles or stands still, wherever it goes', async () => {
    const places = [
      new URL('/lazy/reads', edge.gateway),
      new URL('/models/register', edge.registry),
      new URL('/registry/models/register', edge.gateway),
      new URL('/train', edge.training),
    ];
    for (const { text, ms } of await Promise.all(
      places.flatMap((url) => [trickle(url, 1), trickle(url, 0)]),
    )) {
      expect(text).toMatch(/^HTTP\/1.1 408 /);
      expect(text).toMatch(/"code":"body_too_slow".*|bytes of the body came in/);
      expect(ms).toBeGreaterThanOrEqual(STALL_MS);
      expect(ms).toBeLessThan(4 * STALL_MS);
    }
  });

  it('ends also where it was refused before it was read', async () => {
    const { text, ms } = await trickle(new URL('/nowhere/at/all', edge.gateway), 1);

    expect(text).toMatch(/^HTTP\/1.1 404 /);
    expect(ms).toBeLessThan(4 * STALL_MS);
  });

  it('has as long as its size needs', async () => {
    const { text, ms } = await trickle(new URL('/lazy/reads', edge.gateway), 200, 10_000);

    expect(text).toMatch(/^HTTP\/1.1 200 /);
    expect(ms).toBeGreaterThan(STALL_MS);
  });
});
