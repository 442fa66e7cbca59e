import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_PART_BYTES } from '../../edge/training/contract/checkpoint.ts';
import { bytesOf, type Edge, postJson, problemOf, sha256, startEdge } from './harness.ts';
import { putPart } from './part-requests.ts';
import { openRequest } from './raw-http.ts';

let edge: Edge;
let base: string;
beforeAll(async () => {
  edge = await startEdge();
  base = `${edge.gateway.origin}/training`;
});
afterAll(() => edge[Symbol.asyncDispose]());

const PATIENT = { timeout: 10_000, interval: 20 };

async function missing(digests: readonly string[]): Promise<readonly string[]> {
  const answer = await postJson(`${base}/parts/missing`, { digests });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { missing: string[] }).missing;
}

describe('a part', () => {
  it('is stored once under its digest, and comes back as it was', async () => {
    const bytes = bytesOf(9_000_001, 1);
    const digest = sha256(bytes);
    const part = { digest, size_bytes: bytes.byteLength };

    const first = await putPart(base, bytes);
    const blobs = edge.blobs();
    const second = await putPart(base, bytes);

    expect([first.status, await first.json()]).toEqual([201, part]);
    expect([second.status, await second.json()]).toEqual([200, part]);
    expect(edge.blobs()).toEqual(blobs);
    const answer = await fetch(`${base}/parts/${digest}`);
    expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength));
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(digest);
  });

  it('may be as large as a part can be, and no byte larger', async () => {
    const whole = bytesOf(MAX_PART_BYTES, 2);
    const larger = bytesOf(MAX_PART_BYTES + 1, 2);

    expect((await putPart(base, whole)).status).toBe(201);
    const before = edge.blobs();
    const refused = await putPart(base, larger);

    expect((await problemOf(refused)).code).toBe('payload_too_large');
    expect(edge.blobs()).toEqual(before);
  });

  it.each([
    ['a small one', 100],
    ['one that is written in pieces', 9_000_000],
  ])('with other bytes than its digest says leaves nothing: %s', async (_, size) => {
    const digest = sha256(bytesOf(size, 3));
    const before = edge.blobs();

    const answer = await putPart(base, bytesOf(size, 4), digest);

    expect(await problemOf(answer)).toMatchObject({
      code: 'digest_mismatch',
      detail: expect.stringContaining(digest),
    });
    expect(await missing([digest])).toEqual([digest]);
    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), PATIENT);
  });

  it('needs no length beforehand', async () => {
    const bytes = bytesOf(100_000, 5);
    const body = new Blob([bytes]).stream();

    const answer = await fetch(`${base}/parts/${sha256(bytes)}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body,
      duplex: 'half',
    });

    expect(answer.status).toBe(201);
  });

  it('without a length that is too large is refused as well', async () => {
    const body = new Blob([bytesOf(MAX_PART_BYTES + 1, 6)]).stream();

    const answer = await fetch(`${base}/parts/${sha256(new Uint8Array())}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body,
      duplex: 'half',
    });

    expect((await problemOf(answer)).code).toBe('payload_too_large');
  });

  it('that is cut off is never seen and leaves nothing', async () => {
    const bytes = bytesOf(18_000_000, 7);
    const digest = sha256(bytes);
    const before = edge.blobs();
    const request = openRequest(edge.gateway, [
      `PUT /training/parts/${digest} HTTP/1.1`,
      `Host: ${edge.gateway.host}`,
      'Connection: close',
      'Content-Type: application/octet-stream',
      `Content-Length: ${bytes.byteLength}`,
    ]);
    await request.write(bytes.subarray(0, 17_000_000));
    await vi.waitFor(() => expect(edge.blobs().length).toBeGreaterThan(before.length), PATIENT);

    request.hangUp();

    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), PATIENT);
    expect(await missing([digest])).toEqual([digest]);
    expect((await putPart(base, bytes)).status).toBe(201);
  });

  it('whose last piece of a chunked body never comes is refused', async () => {
    const request = openRequest(edge.gateway, [
      `PUT /training/parts/${sha256(bytesOf(10, 8))} HTTP/1.1`,
      `Host: ${edge.gateway.host}`,
      'Connection: close',
      'Content-Type: application/octet-stream',
      'Transfer-Encoding: chunked',
    ]);
    // A length that is no number ends the body before it is complete.
    await request.write(new TextEncoder().encode('5\r\nabcde\r\nno-number\r\n'));

    const { status, text } = await request.answer;

    expect(status).toBe(400);
    expect(text).toContain('"code":"body_cut_off"');
  });

  it('may be sent by several at once', async () => {
    const bytes = bytesOf(9_000_000, 9);
    const before = edge.blobs().length;

    const answers = await Promise.all([1, 2, 3].map(() => putPart(base, bytes)));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    // A part of 9 MB lies in the bucket as two pieces of one upload.
    await vi.waitFor(() => expect(edge.blobs().length - before).toBeLessThanOrEqual(2), PATIENT);
    const stored = await fetch(`${base}/parts/${sha256(bytes)}`);
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(sha256(bytes));
  });

  it.each([
    ['sha256:xyz', 'invalid_parameter'],
    [sha256(bytesOf(10, 1)).toUpperCase(), 'invalid_parameter'],
    [sha256(new Uint8Array()), 'invalid_parameter'],
  ])('cannot be named %s', async (digest, code) => {
    expect((await problemOf(await putPart(base, new Uint8Array(), digest))).code).toBe(code);
  });

  it('that is not there, or of another type, is refused', async () => {
    const digest = sha256(bytesOf(10, 10));
    const asked = await fetch(`${base}/parts/${digest}`);
    const text = await fetch(`${base}/parts/${digest}`, { method: 'PUT', body: 'x' });

    expect((await problemOf(asked)).code).toBe('part_not_found');
    expect((await problemOf(text)).code).toBe('unsupported_media_type');
  });

  it('that is missing is named once, those that are there are not', async () => {
    const [there, away] = [bytesOf(10, 11), bytesOf(10, 12)];
    await putPart(base, there);

    expect(await missing([sha256(away), sha256(there), sha256(away)])).toEqual([sha256(away)]);
  });
});
