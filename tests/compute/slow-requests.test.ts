import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createNodeMiddleware } from '../../compute/http/node-middleware.ts';
import { type NodeServer, startNodeServer } from '../../compute/http/node-server.ts';
import type { Endpoints } from '../../edge/contract/endpoint.ts';
import { routesOf } from '../../edge/http/route.ts';
import { createService } from '../../edge/http/service.ts';

const LIMIT_MS = 400;

const endpoints = {
  say: {
    method: 'POST',
    path: '/say',
    summary: 'Takes what is said.',
    access: 'infer',
    body: z.strictObject({ note: z.optional(z.string()) }),
    responses: { 204: null },
  },
} as const satisfies Endpoints;

let server: NodeServer;
beforeAll(async () => {
  server = await startNodeServer({
    serve: createService<null>({
      ...createNodeMiddleware<null>({
        verify: () => Promise.reject(new Error('nobody presents a key here')),
        reporting: { sink: () => ({ record: async () => {} }), everyMs: 10 },
        pace: { stallMs: LIMIT_MS, bytesPerS: 1_000 },
      }),
      name: 'slow',
      routes: routesOf<null, typeof endpoints>(endpoints, {
        say: () => ({ status: 204, body: undefined }),
      }),
    }),
    env: null,
    host: '127.0.0.1',
    port: 0,
    headersMs: LIMIT_MS,
    passedOf: () => ({ caller: { kind: 'local', team: 'default', scopes: ['infer'] } }),
  });
});
afterAll(() => server.close(0));

const HEAD = 'POST /say HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
const lengthOf = (bytes: number) =>
  `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

/** Says something, then so many blanks every 50 ms; the first line of the answer. */
async function trickle(text: string, blanks: string): Promise<string | undefined> {
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  // A blank that meets a closed connection is reset, after the response has come.
  socket.on('error', () => socket.destroy());
  if (text !== '') socket.write(text);
  const more = setInterval(() => blanks !== '' && socket.write(blanks), 50);
  await new Promise((resolve) => void socket.on('close', resolve));
  clearInterval(more);
  return answer.split('\r\n')[0];
}

describe('a service in Node', () => {
  it.each([
    ['a connection that says nothing', '', ''],
    ['a head that trickles', HEAD, 'x'],
    ['a body that trickles', HEAD + lengthOf(90), ' '],
    ['a body that never comes', HEAD + lengthOf(90), ''],
  ])('gives %s up', async (_, text, blanks) => {
    expect(await trickle(text, blanks)).toBe('HTTP/1.1 408 Request Timeout');
  });

  it('gives up what it refused, too', async () => {
    const refused = HEAD.replace('/say', '/nowhere') + lengthOf(9_000);

    expect(await trickle(refused, ' ')).toBe('HTTP/1.1 404 Not Found');
  });

  it('waits for a body that comes as fast as it has to, for as long as its size needs', async () => {
    const bytes = 2_000;
    const text = `${HEAD}${lengthOf(bytes + 2)}{}`;

    expect(await trickle(text, ' '.repeat(100))).toBe('HTTP/1.1 204 No Content');
  });

  it('is no proxy', async () => {
    const text = 'CONNECT example.com:80 HTTP/1.1\r\nHost: example.com:80\r\n\r\n';

    expect(await trickle(text, '')).toBe('HTTP/1.1 405 Method Not Allowed');
  });
});
