import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from './harness.ts';
import { openRequest, sendRaw } from './raw-http.ts';
import { startUpstream, type Upstream } from './upstream.ts';

const TIMEOUT_MS = 400;

describe('a body that goes on to a service', () => {
  let edge: Edge;
  let service: Upstream;
  beforeAll(async () => {
    service = await startUpstream((request, response) => {
      // Nothing reads a body that is not asked for.
      if (request.url === '/reads') request.resume().on('end', () => response.end('read'));
      else if (request.url === '/health') response.end();
    });
    const vars = { UPSTREAM_TIMEOUT_MS: TIMEOUT_MS, UPSTREAMS: { lazy: service.url } };
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
});
