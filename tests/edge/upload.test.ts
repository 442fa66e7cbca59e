import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_UPLOAD_BYTES, UploadAnswer } from '../../edge/registry/contract/model-file.ts';
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
  upload,
} from './harness.ts';
import { sendRaw } from './raw-http.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
afterAll(() => edge[Symbol.asyncDispose]());

/** Above the part size of the bucket's multipart uploads, and no multiple of it. */
const LARGE = bytesOf(9_388_611, 1);

describe('an upload of bytes', () => {
  it.each([
    ['an empty file', bytesOf(0, 1)],
    ['a small file', bytesOf(1000, 2)],
    ['a file of exactly one part', bytesOf(8 * 1024 * 1024, 3)],
    ['a file of exactly two parts', bytesOf(16 * 1024 * 1024, 4)],
    ['a large file', LARGE],
  ])('stores %s and tells its digest', async (name, bytes) => {
    const model = await registerModel(edge.registry, name.replaceAll(' ', '-'));

    const answer = await upload(model, { filename: 'model.safetensors' }, bytes);

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(
      `${new URL(model).pathname}/download/model.safetensors?version=1.0.0`,
    );
    const digest = sha256(bytes);
    expect(UploadAnswer.parse(await answer.json())).toEqual({
      model_id: name.replaceAll(' ', '-'),
      version: '1.0.0',
      filename: 'model.safetensors',
      size_bytes: bytes.byteLength,
      digest,
      etag: `"${digest}"`,
    });
    const stored = await fetch(`${model}/download/model.safetensors`);
    expect(sha256(new Uint8Array(await stored.arrayBuffer()))).toBe(digest);
  });

  it('of unknown length goes through the gateway', async () => {
    await registerModel(edge.registry, 'streamed');
    const model = `${edge.gateway.origin}/registry/models/streamed`;

    const answer = await fetch(`${model}/upload?filename=a.bin&version=1.0.0`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: new Blob([LARGE]).stream(),
      duplex: 'half',
    });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toContain('/registry/models/streamed/download/a.bin');
    expect(await answer.json()).toMatchObject({ digest: sha256(LARGE) });
  });

  it('repeated with the same bytes is a 200, with other bytes a 409', async () => {
    const model = await registerModel(edge.registry, 'again');
    await upload(model, { filename: 'a.bin' }, 'one');

    const same = await upload(model, { filename: 'a.bin' }, 'one');
    const other = await upload(model, { filename: 'a.bin' }, 'two');

    expect(same.status).toBe(200);
    expect(await same.json()).toMatchObject({ size_bytes: 3, digest: sha256(Buffer.from('one')) });
    expect(other.status).toBe(409);
    expect(await problemOf(other)).toMatchObject({ code: 'version_immutable' });
    expect(await (await fetch(`${model}/download/a.bin`)).text()).toBe('one');
  });

  it.each([(digest: string) => digest, (digest: string) => digest.slice(7).toUpperCase()])(
    'with the right digest is taken, in either form: %s',
    async (form) => {
      const model = await registerModel(edge.registry, `right-${form('sha256:ab').length}`);
      const bytes = bytesOf(100, 7);

      const answer = await upload(model, { filename: 'a.bin', digest: form(sha256(bytes)) }, bytes);

      expect(answer.status).toBe(201);
    },
  );

  it('with another digest is a 422 and leaves nothing', async () => {
    const model = await registerModel(edge.registry, 'wrong');
    const before = edge.blobs();
    const digest = sha256(Buffer.from('expected'));

    const answer = await upload(model, { filename: 'a.bin', digest }, LARGE);

    expect(answer.status).toBe(422);
    const problem = await problemOf(answer);
    expect(problem.code).toBe('digest_mismatch');
    expect(problem.detail).toContain(`expected ${digest}`);
    expect(problem.detail).toContain(sha256(LARGE));
    expect(await filesOf(model)).toMatchObject({ files: [] });
    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), { timeout: 5000 });
  });

  it('must be the artifact that was registered', async () => {
    const model = `${edge.registry.origin}/models/promised`;
    const model_spec = {
      model_spec_version: 1,
      model_family: 'f',
      architecture: 'a',
      artifact_sha256: sha256(Buffer.from('right')),
    };
    await postJson(new URL('/models/register', edge.registry), {
      ...tiny,
      model_id: 'promised',
      model_spec,
    });

    const wrong = await upload(model, { filename: 'model.safetensors' }, 'wrong');
    const right = await upload(model, { filename: 'model.safetensors' }, 'right');

    expect(await problemOf(wrong)).toMatchObject({ code: 'digest_mismatch', status: 422 });
    expect(right.status).toBe(201);
  });
});

describe('an upload that is not taken', () => {
  it.each([
    ['filename=.env&version=1.0.0', 'filename'],
    ['filename=a%2Fb&version=1.0.0', 'filename'],
    ['filename=..&version=1.0.0', 'filename'],
    [`filename=${'a'.repeat(129)}&version=1.0.0`, 'filename'],
    ['version=1.0.0', 'filename'],
    ['filename=a.bin&version=1.0.0&digest=xyz', 'digest'],
    ['filename=a.bin&version=1.0.0&mode=x', 'mode'],
  ])('for its query %s is a 400', async (query, parameter) => {
    const model = `${edge.registry.origin}/models/whatever`;
    const answer = await fetch(`${model}/upload?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'x',
    });

    expect(answer.status).toBe(400);
    expect(await problemOf(answer)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter }],
    });
  });

  it('for a model or version that does not exist is a 404, even after many bytes', async () => {
    const known = await registerModel(edge.registry, 'versioned');

    const noModel = await upload(`${edge.registry.origin}/models/none`, { filename: 'a' }, LARGE);
    const noVersion = await upload(known, { filename: 'a', version: '2.0.0' }, 'x');

    expect(await problemOf(noModel)).toMatchObject({ code: 'model_not_found', status: 404 });
    expect(await problemOf(noVersion)).toMatchObject({
      code: 'model_not_found',
      detail: 'There is no version 2.0.0 of a model versioned.',
    });
  });

  it('for its content type is a 415', async () => {
    const model = await registerModel(edge.registry, 'typed');
    const answer = await fetch(`${model}/upload?filename=a&version=1.0.0`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });

    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept')).toBe('multipart/form-data or application/octet-stream');
  });

  it('for its announced length is a 413 before a byte is read', async () => {
    const { host } = edge.registry;
    const answer = await sendRaw(
      edge.registry,
      [
        'POST /models/x/upload?filename=a&version=1.0.0 HTTP/1.1',
        `Host: ${host}`,
        'Connection: close',
        'Content-Type: application/octet-stream',
        `Content-Length: ${MAX_UPLOAD_BYTES + 1}`,
        '\r\n',
      ].join('\r\n'),
    );

    expect(answer.status).toBe(413);
    expect(answer.text).toContain('"code":"payload_too_large"');
  });

  it('for its length as it turns out is a 413 and leaves nothing', async () => {
    const model = await registerModel(edge.registry, 'too-long');
    const before = edge.blobs();
    const chunk = new Uint8Array(1_000_000);
    let left = MAX_UPLOAD_BYTES / chunk.byteLength + 1;
    const body = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
    });

    const answer = await fetch(`${model}/upload?filename=a&version=1.0.0`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body,
      duplex: 'half',
    });

    expect(answer.status).toBe(413);
    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), { timeout: 5000 });
  });
});

describe('two uploads of one name at once', () => {
  it('end with one winner and no trace of the other', async () => {
    const model = await registerModel(edge.registry, 'rivals');
    const before = edge.blobs().length;
    const bodies = [bytesOf(9_000_001, 21), bytesOf(9_000_001, 22)];

    const answers = await Promise.all(
      bodies.map((body) => upload(model, { filename: 'a.bin' }, body)),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const winner = bodies[answers.findIndex(({ status }) => status === 201)]!;
    const stored = new Uint8Array(await (await fetch(`${model}/download/a.bin`)).arrayBuffer());
    expect(sha256(stored)).toBe(sha256(winner));
    // Two parts of the winner.
    await vi.waitFor(() => expect(edge.blobs()).toHaveLength(before + 2), { timeout: 5000 });
  });

  it('both succeed where their bytes are the same', async () => {
    const model = await registerModel(edge.registry, 'twins');

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => upload(model, { filename: 'a.bin' }, 'same')),
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 201]);
    expect((await filesOf(model)).files).toHaveLength(1);
  });
});
