import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  bytesOf,
  type SharedEdge,
  postJson,
  problemOf,
  registerModel,
  sha256,
  sharedEdge,
  tiny,
  upload,
} from './harness.ts';
import { getRaw } from './raw-http.ts';

/** Two parts of the bucket's multipart uploads, so that ranges cross from one to the other. */
const BYTES = bytesOf(9_000_001, 8);
const ETAG = `"${sha256(BYTES)}"`;

let edge: SharedEdge;
let model: string;
beforeAll(async () => {
  edge = await sharedEdge();
  model = await registerModel(edge.registry, 'stored');
  await upload(model, { filename: 'model.safetensors' }, BYTES);
  await upload(model, { filename: 'empty.txt' }, '');
});

const get = (headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(`${model}/download/model.safetensors?version=1.0.0`, { headers, ...init });
const bytesIn = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

describe('a download', () => {
  it('is the bytes, described so that they can be verified and cached, and never run', async () => {
    const answer = await get();

    expect(answer.status).toBe(200);
    expect(sha256(await bytesIn(answer))).toBe(sha256(BYTES));
    const base64 = Buffer.from(sha256(BYTES).slice(7), 'hex').toString('base64');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag: ETAG,
      'repr-digest': `sha-256=:${base64}:`,
      'accept-ranges': 'bytes',
      'content-length': String(BYTES.byteLength),
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="model.safetensors"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
    });
  });

  it('through the gateway is the same', async () => {
    const url = new URL('/registry/models/stored/download/model.safetensors', edge.gateway);
    const answer = await fetch(url);

    expect(answer.headers.get('content-length')).toBe(String(BYTES.byteLength));
    expect(answer.headers.get('content-location')).toBe(`${url.pathname}?version=1.0.0`);
    expect(sha256(await bytesIn(answer))).toBe(sha256(BYTES));
  });

  it('without a version is of the default one, and is revalidated', async () => {
    await postJson(new URL('/models/register', edge.registry), { ...tiny, model_id: 'moves' });
    const moves = `${edge.registry.origin}/models/moves`;
    await upload(moves, { filename: 'a.txt' }, 'one');
    const first = await fetch(`${moves}/download/a.txt`);

    const next = { ...tiny, model_id: 'moves', version: '1.1.0' };
    await postJson(new URL('/models/register', edge.registry), next);
    await upload(moves, { filename: 'a.txt', version: '1.1.0' }, 'two');
    const second = await fetch(`${moves}/download/a.txt`);

    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await first.text()).toBe('one');
    expect(second.headers.get('content-location')).toBe(
      '/models/moves/download/a.txt?version=1.1.0',
    );
    expect(await second.text()).toBe('two');
  });

  it('by HEAD has the headers of GET, whatever range is requested', async () => {
    const head = await get({ range: 'bytes=0-1' }, { method: 'HEAD' });

    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(BYTES.byteLength));
    expect(head.headers.get('etag')).toBe(ETAG);
    expect(await head.text()).toBe('');
  });

  it('of an empty file is empty, and has no ranges', async () => {
    const whole = await fetch(`${model}/download/empty.txt`);
    const range = await fetch(`${model}/download/empty.txt`, { headers: { range: 'bytes=0-' } });

    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '0']);
    expect([range.status, range.headers.get('content-range')]).toEqual([416, 'bytes */0']);
  });
});

const statusFor = async (ifRange: string) => {
  const answer = await get({ range: 'bytes=0-0', 'if-range': ifRange });
  await answer.body?.cancel();
  return answer.status;
};

describe('a range of a file', () => {
  it('is what slicing gives', async () => {
    const position = fc.oneof(
      fc.integer({ min: 0, max: BYTES.byteLength + 10 }),
      fc.constantFrom(0, 1, 8_388_607, 8_388_608, 8_388_609, BYTES.byteLength - 1),
    );
    const lengths = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constant(1_000_000));
    await fc.assert(
      fc.asyncProperty(position, lengths, async (from, length) => {
        const answer = await get({ range: `bytes=${from}-${from + length}` });
        const expected = BYTES.slice(from, from + length + 1);
        const isInside = expected.byteLength > 0;
        const last = from + expected.byteLength - 1;

        expect(answer.status).toBe(isInside ? 206 : 416);
        expect(answer.headers.get('content-range')).toBe(
          `bytes ${isInside ? `${from}-${last}` : '*'}/${BYTES.byteLength}`,
        );
        const body = Buffer.from(await answer.arrayBuffer());
        expect(isInside && !body.equals(expected)).toBe(false);
      }),
      { seed: 206, numRuns: 60 },
    );
  });

  it('may be its end', async () => {
    const answer = await get({ range: 'bytes=-5' });

    expect(answer.status).toBe(206);
    expect(await bytesIn(answer)).toEqual(BYTES.slice(-5));
  });

  it('that lies outside is a 416 that names the size', async () => {
    const answer = await get({ range: `bytes=${BYTES.byteLength}-` });

    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe(`bytes */${BYTES.byteLength}`);
    expect(await problemOf(answer)).toMatchObject({ code: 'range_not_satisfiable' });
  });

  it('holds for the bytes If-Range names, and gives the whole file for others', async () => {
    expect(await statusFor(ETAG)).toBe(206);
    expect(await statusFor('"other"')).toBe(200);
    expect(await statusFor(`W/${ETAG}`)).toBe(200);
  });
});

describe('a condition', () => {
  it('that the bytes are known already is a 304 with what caches need', async () => {
    const answer = await get({ 'if-none-match': `"x", ${ETAG}` });

    expect(answer.status).toBe(304);
    expect(answer.headers.get('etag')).toBe(ETAG);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(await answer.text()).toBe('');
  });

  it('that they are others than these is a 412', async () => {
    const answer = await get({ 'if-match': '"other"' });

    expect(answer.status).toBe(412);
    expect(await problemOf(answer)).toMatchObject({ code: 'precondition_failed' });
  });
});

describe('a file that is not there', () => {
  it.each([
    ['stored/download/none.bin', 'file_not_found', 'stored 1.0.0 has no file none.bin.'],
    ['stored/download/.env', 'file_not_found', 'There is no file ".env": expected 1 to 128'],
    ['none/download/a.bin', 'model_not_found', 'There is no model none.'],
    ['stored/download/a.bin?version=2.0.0', 'model_not_found', 'version 2.0.0'],
  ])('%s is a 404: %s', async (path, code, detail) => {
    const answer = await fetch(`${edge.registry.origin}/models/${path}`);
    const problem = await problemOf(answer);

    expect(answer.status).toBe(404);
    expect(problem.code).toBe(code);
    expect(problem.detail).toContain(detail);
  });

  it.each([
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/x',
    '/../../../x',
    '/a%5c..%5cb',
    '/a%00.bin',
  ])('because its name climbs is a 400: %s', async (name) => {
    const answer = await getRaw(edge.registry, `/models/stored/download${name}`);

    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"code":"unsafe_path"');
  });
});
