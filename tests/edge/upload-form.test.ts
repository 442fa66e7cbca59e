import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  bytesOf,
  type SharedEdge,
  filesOf,
  problemOf,
  registerModel,
  sha256,
  sharedEdge,
} from './harness.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

/** Above the part size of the bucket's multipart uploads, and no multiple of it. */
const LARGE = bytesOf(9_000_003, 1);

const file = (text: string, name = 'config.json') => new File([text], name);

function sendForm(model: string, fields: readonly (readonly [string, string | File])[]) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return fetch(`${model}/upload`, { method: 'POST', body: form });
}

describe('an upload as a form', () => {
  it('takes its fields before the file or after it', async () => {
    const model = await registerModel(edge.registry, 'form');
    const digest = sha256(Buffer.from('{}'));

    const before = await sendForm(model, [
      ['version', '1.0.0'],
      ['digest', digest],
      ['file', file('{}', 'before.json')],
    ]);
    const after = await sendForm(model, [
      ['file', file('{}', 'after.json')],
      ['digest', digest],
      ['version', '1.0.0'],
    ]);

    expect([before.status, after.status]).toEqual([201, 201]);
    expect(await after.json()).toMatchObject({ filename: 'after.json', digest });
  });

  it('of a large file keeps every byte', async () => {
    const model = await registerModel(edge.registry, 'large-form');

    const answer = await sendForm(model, [
      ['version', '1.0.0'],
      ['file', new File([LARGE], 'model.safetensors')],
    ]);

    expect(await answer.json()).toMatchObject({
      size_bytes: LARGE.byteLength,
      digest: sha256(LARGE),
    });
  });

  it('may give its version in the query', async () => {
    const model = await registerModel(edge.registry, 'query-form');
    const form = new FormData();
    form.append('file', file('{}'));

    const answer = await fetch(`${model}/upload?version=1.0.0`, { method: 'POST', body: form });

    expect(answer.status).toBe(201);
  });

  it.each<[string, readonly (readonly [string, string | File])[], string]>([
    ['no file', [['version', '1.0.0']], '/file'],
    [
      'a file without a name of its own',
      [
        ['version', '1.0.0'],
        ['file', 'text'],
      ],
      '/file',
    ],
    [
      'a version that is none',
      [
        ['version', '1'],
        ['file', file('{}')],
      ],
      '/version',
    ],
    [
      'two files',
      [
        ['version', '1.0.0'],
        ['file', file('1')],
        ['file', file('2')],
      ],
      '/file',
    ],
    [
      'an unknown field',
      [
        ['version', '1.0.0'],
        ['file', file('{}')],
        ['x', 'y'],
      ],
      '/x',
    ],
    [
      'a hidden name',
      [
        ['version', '1.0.0'],
        ['file', file('{}', '.env')],
      ],
      '/file',
    ],
    [
      'a name that climbs',
      [
        ['version', '1.0.0'],
        ['file', file('{}', '../a')],
      ],
      '/file',
    ],
  ])('with %s is a 422 and leaves nothing', async (name, fields, pointer) => {
    const model = await registerModel(edge.registry, `bad-${name.replaceAll(' ', '-')}`);
    const before = edge.blobs();

    const answer = await sendForm(model, fields);

    expect(answer.status).toBe(422);
    const problem = await problemOf(answer);
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(await filesOf(model)).toMatchObject({ files: [] });
    await vi.waitFor(() => expect(edge.blobs()).toEqual(before), { timeout: 5000 });
  });

  it('that is cut off inside is a 422', async () => {
    const model = await registerModel(edge.registry, 'cut-form');
    const answer = await fetch(`${model}/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\nhalf of',
    });

    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).detail).toContain('ends in the middle');
  });
});
