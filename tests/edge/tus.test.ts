import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bytesOf,
  type Edge,
  filesOf,
  postJson,
  registerModel,
  sha256,
  startEdge,
  tiny,
} from './harness.ts';
import { begin, create, end, head, metadataOf, offsetOf, openPatch, patch } from './tus-client.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

const PART = 8 * 1024 * 1024;
/** A part of the bucket and an odd rest. */
const LARGE = bytesOf(PART + 100_003, 1);
const PATIENT = { timeout: 10_000, interval: 20 };

const stored = async (model: string, filename = 'a.bin') =>
  sha256(new Uint8Array(await (await fetch(`${model}/download/${filename}`)).arrayBuffer()));

/** Sends bytes from `offset` on in chunks of these sizes, the last one as long as it takes. */
async function sendAll(upload: URL, bytes: Uint8Array<ArrayBuffer>, sizes: readonly number[]) {
  let offset = 0;
  let answer: Response | undefined;
  for (const size of [...sizes, bytes.byteLength]) {
    if (offset === bytes.byteLength) break;
    answer = await patch(upload, offset, bytes.subarray(offset, offset + size));
    expect(answer.status).toBe(204);
    offset = Number(answer.headers.get('upload-offset'));
  }
  return answer!;
}

describe('the protocol', () => {
  it('is described to any caller', async () => {
    const answer = await fetch(`${edge.registry.origin}/models/any/uploads`, { method: 'OPTIONS' });

    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,expiration,checksum,termination',
      'tus-checksum-algorithm': 'sha256,sha1',
      'tus-max-size': '75497472000',
    });
  });

  it.each(['0.2.2', undefined])(
    'of version %s is refused with the one that is spoken',
    async (v) => {
      const model = await registerModel(edge.registry, `version-${v ?? 'none'}`);
      const upload = await begin(model, { length: 3 });

      const answer = await fetch(upload, {
        method: 'PATCH',
        headers: {
          ...(v && { 'tus-resumable': v }),
          'content-type': 'application/offset+octet-stream',
        },
        body: 'abc',
      });

      expect(answer.status).toBe(412);
      expect(answer.headers.get('tus-version')).toBe('1.0.0');
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
      expect(await offsetOf(upload)).toBe(0);
    },
  );

  it('can be spoken by POST alone', async () => {
    const model = await registerModel(edge.registry, 'override');
    const upload = await begin(model, { length: 3 });
    const post = (method: string, headers: object, body?: string) =>
      fetch(upload, {
        method: 'POST',
        headers: { 'tus-resumable': '1.0.0', 'x-http-method-override': method, ...headers },
        ...(body && { body }),
      });

    const chunk = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    expect((await post('PATCH', chunk, 'ab')).status).toBe(204);
    expect((await post('HEAD', {})).headers.get('upload-offset')).toBe('2');
    expect((await post('PUT', {})).status).toBe(405);
    expect((await post('DELETE', {})).status).toBe(204);
    expect((await head(upload)).status).toBe(404);
  });
});

describe('a resumable upload', () => {
  it.each<[string, number, readonly number[]]>([
    ['nothing', 0, []],
    ['one byte', 1, []],
    ['less than a part', 1000, [300, 1]],
    ['exactly one part', PART, []],
    ['exactly two parts', 2 * PART, [PART]],
    ['a part and a rest', LARGE.byteLength, []],
    ['odd chunks', LARGE.byteLength, [1, 5_000_000, 3_400_000, 3]],
    ['a chunk up to a part', PART + 5, [100, PART - 100]],
  ])('of %s becomes a file', async (name, length, sizes) => {
    const model = await registerModel(edge.registry, `tus-${name.replaceAll(' ', '-')}`);
    const bytes = bytesOf(length, 3);

    const before = edge.blobs().length;
    const upload = await begin(model, { length, digest: sha256(bytes) });
    const last = length === 0 ? await head(upload) : await sendAll(upload, bytes, sizes);

    const digest = sha256(bytes);
    const hash = Buffer.from(digest.slice(7), 'hex').toString('base64');
    expect(last.headers.get('repr-digest')).toBe(`sha-256=:${hash}:`);
    const place = last.headers.get('content-location') ?? '';
    expect(place).toBe(`${new URL(model).pathname}/download/a.bin?version=1.0.0`);
    expect((await filesOf(model)).files).toMatchObject([{ size_bytes: length, digest }]);
    expect(await stored(model)).toBe(digest);
    // Of the rests in between nothing is left.
    await vi.waitFor(
      () => expect(edge.blobs().length - before).toBe(Math.max(1, Math.ceil(length / PART))),
      PATIENT,
    );
  });

  it('goes through the gateway, whose address stays in its URL', async () => {
    await registerModel(edge.registry, 'behind');
    const model = `${edge.gateway.origin}/registry/models/behind`;

    const upload = await begin(model, { length: LARGE.byteLength });
    expect(upload.pathname).toMatch(/^\/registry\/models\/behind\/uploads\/upload_/);
    const last = await sendAll(upload, LARGE, [8_400_000]);

    expect(last.headers.get('content-location')).toMatch(/^\/registry\/models\/behind\/download/);
    expect(await stored(model)).toBe(sha256(LARGE));
  });

  it('may bring its first bytes with it, or all', async () => {
    const model = await registerModel(edge.registry, 'with-upload');

    const part = await create(model, { length: 4, body: bytesOf(3, 1) });
    const whole = await create(model, { length: 9, filename: 'b.bin', body: bytesOf(9, 1) });

    expect([part.status, part.headers.get('upload-offset')]).toEqual([201, '3']);
    expect([whole.status, whole.headers.get('upload-offset')]).toEqual([201, '9']);
    expect(await stored(model, 'b.bin')).toBe(sha256(bytesOf(9, 1)));
  });

  it('reports its offset, its metadata, and its expiry', async () => {
    const model = await registerModel(edge.registry, 'asked');
    const upload = await begin(model, { length: 100 });
    await patch(upload, 0, bytesOf(40, 1));

    const answer = await head(upload);

    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '40',
      'upload-length': '100',
      'upload-metadata': metadataOf({ filename: 'a.bin', version: '1.0.0' }),
      'cache-control': 'no-store',
    });
    const hours = (Date.parse(answer.headers.get('upload-expires') ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
  });

  it('answers as before to who missed the answer to the last byte', async () => {
    const model = await registerModel(edge.registry, 'missed');
    const upload = await begin(model, { length: 3 });
    const last = await patch(upload, 0, bytesOf(3, 1));

    const again = await head(upload);
    const empty = await patch(upload, 3, bytesOf(0, 1));

    expect([again.status, empty.status]).toEqual([200, 204]);
    for (const answer of [again, empty]) {
      expect(answer.headers.get('upload-offset')).toBe('3');
      expect(answer.headers.get('repr-digest')).toBe(last.headers.get('repr-digest'));
    }
  });
});

describe('an upload that is given up', () => {
  it('is gone with all its bytes', async () => {
    const model = await registerModel(edge.registry, 'given-up');
    const before = edge.blobs();
    const upload = await begin(model, { length: 30_000_000 });
    await patch(upload, 0, LARGE);
    expect(edge.blobs().length).toBeGreaterThan(before.length);

    expect((await end(upload)).status).toBe(204);

    for (const answer of [
      await head(upload),
      await end(upload),
      await patch(upload, 0, bytesOf(3, 1)),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect(edge.blobs()).toEqual(before);
  });

  it('with the version it goes to is gone too', async () => {
    const model = await registerModel(edge.registry, 'deleted');
    const before = edge.blobs();
    const upload = await begin(model, { length: 30_000_000 });
    await patch(upload, 0, LARGE);

    await fetch(`${model}?force=true`, { method: 'DELETE' });

    expect((await head(upload)).status).toBe(404);
    expect(edge.blobs()).toEqual(before);
  });

  it('leaves the file of one that was finished', async () => {
    const model = await registerModel(edge.registry, 'finished');
    const upload = await begin(model, { length: 3, body: bytesOf(3, 1) });

    await end(upload);

    expect(await stored(model)).toBe(sha256(bytesOf(3, 1)));
  });
});

describe('two requests on one upload', () => {
  it('do not mix: the one that resumes wins, and the file is whole', async () => {
    const model = await registerModel(edge.registry, 'rivals');
    const upload = await begin(model, { length: LARGE.byteLength, digest: sha256(LARGE) });
    const stuck = openPatch(upload, 0, LARGE.byteLength);
    await stuck.write(LARGE.subarray(0, 4_000_000));

    const resumed = await patch(upload, 0, LARGE);
    await stuck.write(LARGE.subarray(4_000_000));

    expect(resumed.status).toBe(204);
    expect((await stuck.answer).status).toBe(409);
    expect(await stored(model)).toBe(sha256(LARGE));
  });

  it('with other bytes end in a file of one of them', async () => {
    const model = await registerModel(edge.registry, 'mixed');
    const upload = await begin(model, { length: LARGE.byteLength });
    const bodies = Array.from({ length: 3 }, (_, i) => bytesOf(LARGE.byteLength, 40 + i));

    const answers = await Promise.all(bodies.map((body) => patch(upload, 0, body)));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    expect(await stored(model)).toBe(sha256(bodies[statuses.indexOf(204)]!));
  });
});

describe('uploads of one name at once', () => {
  it('have one winner, and leave nothing of the others', async () => {
    await postJson(new URL('/models/register', edge.registry), { ...tiny, model_id: 'race' });
    const model = `${edge.registry.origin}/models/race`;
    const before = edge.blobs().length;
    const bodies = Array.from({ length: 3 }, (_, i) => bytesOf(PART + 1, 60 + i));
    const uploads = await Promise.all(
      bodies.map((body) => begin(model, { length: body.byteLength })),
    );

    const answers = await Promise.all(uploads.map((upload, i) => patch(upload, 0, bodies[i]!)));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 409, 409]);
    expect(await stored(model)).toBe(sha256(bodies[statuses.indexOf(204)]!));
    // Two parts of the winner.
    await vi.waitFor(() => expect(edge.blobs()).toHaveLength(before + 2), PATIENT);
  });
});
