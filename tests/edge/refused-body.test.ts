import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemOf } from './harness.ts';
import { type GuardedEdge, startGuardedEdge } from './keys-in-hand.ts';
import { openRequest, sendThenRead } from './raw-http.ts';

const MIB = 2 ** 20;

function* mebibytes(count: number, isChunked: boolean): Iterable<Uint8Array> {
  const bytes = Buffer.alloc(MIB, 'x');
  const chunk = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  for (let sent = 0; sent < count; sent++) yield isChunked ? chunk : bytes;
  if (isChunked) yield Buffer.from('0\r\n\r\n');
}

describe('the body of a refused request', () => {
  let edge: GuardedEdge;
  beforeAll(async () => {
    edge = await startGuardedEdge();
  });
  afterAll(() => edge[Symbol.asyncDispose]());

  /** More than the runtime itself takes off the wire before it closes a connection. */
  const LARGE = JSON.stringify({ description: 'x'.repeat(6_000_000) });

  interface Case {
    readonly path: string;
    readonly code: string;
    readonly method?: string;
    readonly isAnonymous?: boolean;
    readonly headers?: Readonly<Record<string, string>>;
  }

  it.each<Case>([
    { path: '/api/keys', code: 'payload_too_large' },
    { path: '/api/keys', code: 'payload_too_large', headers: { 'idempotency-key': 'large' } },
    { path: '/api/keys', code: 'invalid_parameter', headers: { 'idempotency-key': 'not good' } },
    { path: '/api/keys', code: 'unauthenticated', isAnonymous: true },
    { path: '/api/keys', code: 'unsupported_media_type', headers: { 'content-type': 'text/css' } },
    { path: '/api/keys', code: 'method_not_allowed', method: 'PUT' },
    { path: '/nowhere/at/all', code: 'service_not_found' },
    { path: '/registry/models/register', code: 'payload_too_large' },
    { path: '/registry/models/register', code: 'unauthenticated', isAnonymous: true },
  ])('is read, so that the sender reads $code at $path', async (refused) => {
    const { path, code, method = 'POST', isAnonymous = false, headers = {} } = refused;
    const authorization: Record<string, string> = isAnonymous
      ? {}
      : { authorization: `Bearer ${edge.admin}` };

    const answer = await fetch(new URL(path, edge.gateway), {
      method,
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      body: LARGE,
    });

    expect((await problemOf(answer)).code).toBe(code);
  });

  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ])('is refused where its %s are nested too deep to be walked', async (_, body) => {
    for (const path of ['/api/keys', '/registry/models/register']) {
      const answer = await fetch(new URL(path, edge.gateway), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${edge.admin}` },
        body,
      });

      expect(await problemOf(answer)).toMatchObject({
        status: 400,
        code: 'invalid_json',
        detail: expect.stringContaining('100 levels'),
      });
    }
  });

  it.each([
    ['/api/keys', 'as long as it says'],
    ['/registry/models/register', 'as long as it says'],
    ['/api/keys', 'in chunks'],
  ])('is read by %s however long it is, where it comes %s', async (path, how) => {
    const isChunked = how === 'in chunks';
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${edge.gateway.host}`,
      'Connection: close',
      `Authorization: Bearer ${edge.admin}`,
      'Content-Type: application/json',
      isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${40 * MIB}`,
    ];

    const answer = await sendThenRead(edge.gateway, head, mebibytes(40, isChunked));

    expect(answer.status).toBe(413);
    expect(answer.text).toContain('payload_too_large');
  });

  it('is not waited for where its sender waits for the answer', async () => {
    const request = openRequest(edge.gateway, [
      'POST /api/keys HTTP/1.1',
      `Host: ${edge.gateway.host}`,
      'Connection: close',
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]);

    expect((await request.answer).status).toBe(401);
  });
});
