import { beforeAll, describe, expect, it } from 'vitest';
import { ModelList } from '../../edge/registry/contract/model-list.ts';
import { ModelDetails } from '../../edge/registry/contract/model.ts';
import { postJson, problemOf, type SharedEdge, sharedEdge, tiny, upload } from './harness.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

const at = (path: string) => new URL(path, edge.registry);
const register = (fields: object) => postJson(at('/models/register'), { ...tiny, ...fields });
const show = async (path: string) => ModelDetails.parse(await (await fetch(at(path))).json());
const list = async (query: string) =>
  ModelList.parse(await (await fetch(at(`/models?${query}`))).json());

describe('a version of another framework', () => {
  it('is ready with the files that its registration names', async () => {
    await register({ model_id: 'torch', framework: 'pytorch', files: ['net.pt', 'labels.txt'] });
    const model = `${edge.registry.origin}/models/torch`;

    await upload(model, { filename: 'net.pt' }, 'weights');
    const half = await show('/models/torch');
    await upload(model, { filename: 'labels.txt' }, 'a b');

    expect(half).toMatchObject({ status: 'PENDING', status_message: 'waiting for labels.txt' });
    expect(await show('/models/torch')).toMatchObject({ status: 'READY', status_message: '' });
  });

  it('is ready with its first file where it names none', async () => {
    await register({ model_id: 'onnx', framework: 'onnx' });
    const before = await show('/models/onnx');
    await upload(`${edge.registry.origin}/models/onnx`, { filename: 'net.onnx' }, 'weights');

    expect(before.status_message).toBe('waiting for a file: the registration names none');
    expect((await show('/models/onnx')).status).toBe('READY');
  });
});

describe('an upload that names no version', () => {
  const send = (model_id: string, filename: string) =>
    fetch(at(`/models/${model_id}/upload?filename=${filename}`), {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: 'bytes',
    });

  it('is for the only version, the only one that waits, or the default one', async () => {
    await register({ model_id: 'unnamed', framework: 'x', files: ['a'] });
    const first = await (await send('unnamed', 'a')).json();
    await register({ model_id: 'unnamed', framework: 'x', files: ['a'], version: '0.9.0' });
    const second = await (await send('unnamed', 'a')).json();
    const third = await (await send('unnamed', 'b')).json();

    const versions = [first, second, third].map(
      (answer) => (answer as { version: string }).version,
    );
    expect(versions).toEqual(['1.0.0', '0.9.0', '1.0.0']);
  });

  it('is refused where several wait, which are named', async () => {
    for (const version of ['1.0.0', '2.0.0']) await register({ model_id: 'several', version });

    const problem = await problemOf(await send('several', 'a'));

    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(problem.errors?.[0]).toMatchObject({
      pointer: '/version',
      detail: 'expected a version, as several of several wait for files: 2.0.0, 1.0.0',
    });
    expect((await problemOf(await send('no-such-model', 'a'))).status).toBe(404);
  });
});

describe('the default version', () => {
  it('stays where a registration says so, until one may take its place', async () => {
    await register({ model_id: 'kept', set_default: false });
    await register({ model_id: 'kept', version: '1.1.0' });
    await register({ model_id: 'kept', version: '1.2.0', set_default: false });
    const kept = await show('/models/kept');
    await register({ model_id: 'kept', version: '1.3.0', set_default: true });

    expect(kept).toMatchObject({ version: '1.1.0' });
    expect(kept.versions.map(({ version }) => version)).toEqual(['1.2.0', '1.1.0', '1.0.0']);
    expect((await show('/models/kept')).version).toBe('1.3.0');
    expect((await list('name=Tiny&limit=100')).models).toEqual(
      expect.arrayContaining([expect.objectContaining({ model_id: 'kept', version: '1.3.0' })]),
    );
  });
});

describe('model_spec_digest', () => {
  it('is that of the model_spec where a registration does not say it', async () => {
    const spec = { model_spec_version: 1, model_family: 'F', architecture: 'a', d_model: 8 };
    await register({ model_id: 'spec-a', model_spec: spec });
    await register({
      model_id: 'spec-b',
      model_spec: Object.fromEntries(Object.entries(spec).toReversed()),
    });
    await register({ model_id: 'spec-c', model_spec: { ...spec, d_model: 16 } });

    const [a, b, c] = await Promise.all(
      ['spec-a', 'spec-b', 'spec-c'].map(
        async (id) => (await show(`/models/${id}`)).model_spec_digest,
      ),
    );

    expect(a).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(b).toBe(a);
    expect(c).not.toBe(a);
  });
});
