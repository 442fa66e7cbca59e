import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bytesOf,
  type Edge,
  filesOf,
  postJson,
  problemOf,
  registerModel,
  sha256,
  startEdge,
  tiny,
  upload as uploadWhole,
} from './harness.ts';
import { openRequest } from './raw-http.ts';
import { begin, checksumOf, create, end, head, metadataOf, offsetOf, patch } from './tus-client.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

/** A part of the bucket and an odd rest. */
const LARGE = bytesOf(8_700_003, 1);
const PATIENT = { timeout: 10_000, interval: 20 };

const stored = async (model: string, filename = 'a.bin') =>
  sha256(new Uint8Array(await (await fetch(`${model}/download/${filename}`)).arrayBuffer()));

describe('a chunk', () => {
  it('at another byte than the next is a 409 that names the next', async () => {
    const model = await registerModel(edge.registry, 'offset');
    const upload = await begin(model, { length: 100 });
    await patch(upload, 0, bytesOf(40, 1));

    for (const offset of [0, 39, 41, 100, 1000]) {
      const answer = await patch(upload, offset, bytesOf(10, 1));
      expect(answer.status).toBe(409);
      expect(answer.headers.get('upload-offset')).toBe('40');
      expect(await problemOf(answer)).toMatchObject({ code: 'offset_mismatch' });
    }
    expect(await offsetOf(upload)).toBe(40);
  });

  it.each(['sha256', 'sha1'])(
    'is checked by its %s, and none of a damaged one is taken',
    async (algorithm) => {
      const model = await registerModel(edge.registry, `check-${algorithm}`);
      const upload = await begin(model, { length: LARGE.byteLength });
      const good = { 'upload-checksum': checksumOf(LARGE, algorithm) };
      const before = edge.blobs().length;
      const damaged = LARGE.slice();
      damaged[8_500_000]! ^= 1;

      const refused = await patch(upload, 0, damaged, good);
      expect(refused.status).toBe(460);
      expect(await problemOf(refused)).toMatchObject({
        code: 'checksum_mismatch',
        retryable: true,
      });
      expect(await offsetOf(upload)).toBe(0);
      expect((await patch(upload, 0, LARGE, good)).status).toBe(204);

      expect(await stored(model)).toBe(sha256(LARGE));
      // Two parts: those of the damaged chunk are gone.
      await vi.waitFor(() => expect(edge.blobs()).toHaveLength(before + 2), PATIENT);
    },
  );

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['an unknown checksum', { 'upload-checksum': 'md5 abcd' }, 400],
    ['a short checksum', { 'upload-checksum': 'sha256 YWJj' }, 400],
    ['no number for its offset', { 'upload-offset': '-1' }, 400],
    ['another type', { 'content-type': 'application/octet-stream' }, 415],
  ])('with %s is refused', async (name, headers, status) => {
    const model = await registerModel(edge.registry, `bad-${name.replaceAll(' ', '-')}`);
    const upload = await begin(model, { length: 100 });

    expect((await patch(upload, 0, bytesOf(10, 1), headers)).status).toBe(status);
    expect(await offsetOf(upload)).toBe(0);
  });

  it('beyond the announced length is a 413', async () => {
    const model = await registerModel(edge.registry, 'beyond');
    const upload = await begin(model, { length: 10 });

    const answer = await patch(upload, 0, bytesOf(11, 1));

    expect(answer.status).toBe(413);
    expect(await offsetOf(upload)).toBe(0);
  });
});

describe('an upload that is not taken', () => {
  it.each<[string, Readonly<Record<string, string>>, number, string]>([
    ['too large', { 'upload-length': '75497472001' }, 413, 'payload_too_large'],
    ['without a length', { 'upload-length': 'x' }, 400, 'invalid_parameter'],
    [
      'with a climbing name',
      { 'upload-metadata': metadataOf({ filename: '../a', version: '1.0.0' }) },
      400,
      'invalid_parameter',
    ],
    [
      'with unknown metadata',
      { 'upload-metadata': metadataOf({ filename: 'a', version: '1.0.0', mode: 'x' }) },
      400,
      'invalid_parameter',
    ],
    ['with broken metadata', { 'upload-metadata': 'filename *' }, 400, 'invalid_parameter'],
    [
      'to no version',
      { 'upload-metadata': metadataOf({ filename: 'a', version: '9.0.0' }) },
      404,
      'model_not_found',
    ],
  ])('because it is %s', async (name, headers, status, code) => {
    const model = await registerModel(edge.registry, `not-${name.replaceAll(' ', '-')}`);

    const answer = await create(model, { length: 10, headers });

    expect(answer.status).toBe(status);
    expect(await problemOf(answer)).toMatchObject({ code });
  });

  it('because several versions wait for files, and it names none', async () => {
    const model = await registerModel(edge.registry, 'ambiguous');
    const second = { ...tiny, model_id: 'ambiguous', version: '2.0.0' };
    await postJson(new URL('/models/register', edge.registry), second);

    const answer = await create(model, {
      length: 3,
      headers: { 'upload-metadata': metadataOf({ filename: 'a.bin' }) },
    });

    expect(await problemOf(answer)).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ pointer: '/version', code: 'ambiguous_version' }],
    });
  });

  it('because other bytes have its name already', async () => {
    const model = await registerModel(edge.registry, 'taken');
    await uploadWhole(model, { filename: 'a.bin' }, 'one');

    const known = await create(model, { length: 3, digest: sha256(Buffer.from('two')) });
    const before = edge.blobs();
    const upload = await begin(model, { length: 3 });
    const late = await patch(upload, 0, new Uint8Array(Buffer.from('two')));
    const same = await begin(model, { length: 3 });
    const last = await patch(same, 0, new Uint8Array(Buffer.from('one')));

    expect(known.status).toBe(409);
    expect(late.status).toBe(409);
    expect(await problemOf(late)).toMatchObject({ code: 'version_immutable' });
    expect((await head(upload)).status).toBe(404);
    expect(last.status).toBe(204);
    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), PATIENT);
  });

  it('because its version is deleted while its first bytes come', async () => {
    const model = await registerModel(edge.registry, 'leaves');
    const before = edge.blobs();
    const creation = openRequest(edge.registry, [
      'POST /models/leaves/uploads HTTP/1.1',
      `Host: ${edge.registry.host}`,
      'Connection: close',
      'Tus-Resumable: 1.0.0',
      'Content-Type: application/offset+octet-stream',
      `Upload-Length: ${LARGE.byteLength}`,
      `Upload-Metadata: ${metadataOf({ filename: 'a.bin', version: '1.0.0' })}`,
      `Content-Length: ${LARGE.byteLength}`,
    ]);
    await creation.write(LARGE.subarray(0, 8_600_000));
    await vi.waitFor(() => expect(edge.blobs().length).toBeGreaterThan(before.length), PATIENT);

    await fetch(`${model}?force=true`, { method: 'DELETE' });
    await creation.write(LARGE.subarray(8_600_000));

    const { status, text } = await creation.answer;
    expect(status).toBe(404);
    expect(text).toContain('"code":"model_not_found"');
    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), PATIENT);
  });

  it('by POST as PATCH, because other bytes have its name already', async () => {
    const model = await registerModel(edge.registry, 'override-taken');
    await uploadWhole(model, { filename: 'a.bin' }, 'one');
    const upload = await begin(model, { length: 3 });

    const answer = await fetch(upload, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'x-http-method-override': 'PATCH',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      },
      body: 'two',
    });

    expect(answer.status).toBe(409);
    expect(await problemOf(answer)).toMatchObject({ code: 'version_immutable' });
  });

  it('because its bytes have another digest than it claimed is a 460 and leaves nothing', async () => {
    const model = await registerModel(edge.registry, 'claimed');
    const before = edge.blobs();
    const upload = await begin(model, { length: LARGE.byteLength, digest: sha256(bytesOf(1, 1)) });

    const answer = await patch(upload, 0, LARGE);

    expect(answer.status).toBe(460);
    const problem = await problemOf(answer);
    expect(problem.detail).toContain(sha256(LARGE));
    // The whole upload is gone: sending the last chunk again does not help.
    expect(problem.retryable).toBe(false);
    expect((await head(upload)).status).toBe(404);
    expect(await filesOf(model)).toMatchObject({ files: [] });
    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), PATIENT);
  });

  it('because it belongs to another model', async () => {
    const upload = await begin(await registerModel(edge.registry, 'owner'), { length: 3 });
    await registerModel(edge.registry, 'stranger');
    const elsewhere = new URL(upload.href.replace('/owner/', '/stranger/'));

    expect((await patch(elsewhere, 0, bytesOf(3, 1))).status).toBe(404);
    expect((await end(elsewhere)).status).toBe(404);
    expect(await offsetOf(upload)).toBe(0);
  });
});
