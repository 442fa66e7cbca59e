import { beforeAll, describe, expect, it } from 'vitest';
import { Compatibility } from '../../edge/registry/contract/compatibility.ts';
import {
  type SharedEdge,
  postJson,
  problemOf,
  sha256,
  sharedEdge,
  tiny,
  upload,
} from './harness.ts';

const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

const SPEC = {
  model_spec_version: 1,
  model_family: 'SpikingEvoTextLM',
  architecture: 'dense_chronospike',
  d_model: 32,
  n_heads: 2,
  vocab_size: 64,
  tokenizer: { name: 'character', revision: '1', files_sha256: { 'tokenizer.json': 'ab' } },
  core: { beta: 0.9, tau: [2, 8] },
};

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
  const base = { ...tiny, model_id: 'compared', model_spec: SPEC, tokenizer_digest: digest('b') };
  await postJson(new URL('/models/register', edge.registry), base);
  await upload(
    new URL('/models/compared', edge.registry).href,
    { filename: 'model.safetensors' },
    'weights',
  );
  await postJson(new URL('/models/register', edge.registry), { ...tiny, model_id: 'bare' });
});

const ask = (body: unknown, path = '/models/compared/compatibility') =>
  postJson(new URL(path, edge.registry), body);
const compare = async (body: unknown, path?: string) =>
  Compatibility.parse(await (await ask(body, path)).json());

const WEIGHTS = sha256(Buffer.from('weights'));

describe('the check whether a training may go on', () => {
  it('finds the base compatible with itself, wherever it came from', async () => {
    const spec = {
      ...SPEC,
      parent_model_id: 'compared',
      training_job_id: 'job_2',
      checkpoint_uri: 'w',
    };
    const all = {
      model_spec: spec,
      tokenizer_digest: digest('B').slice(7),
      artifact_digest: WEIGHTS,
    };

    expect(await compare(all)).toEqual({
      model_id: 'compared',
      version: '1.0.0',
      compatible: true,
      checked: ['structure', 'vocabulary', 'tokenizer', 'artifact'],
      mismatches: [],
    });
  });

  it.each<[string, object, object]>([
    [
      'structure',
      { model_spec: { ...SPEC, d_model: 64 } },
      { field: '/model_spec/d_model', expected: 32, actual: 64 },
    ],
    [
      'structure',
      { model_spec: { ...SPEC, core: { beta: 0.9, tau: [2, 9] } } },
      { field: '/model_spec/core/tau', expected: [2, 8], actual: [2, 9] },
    ],
    [
      'structure',
      { model_spec: { ...SPEC, core: { tau: [2, 8] } } },
      { field: '/model_spec/core/beta', expected: 0.9, actual: null },
    ],
    [
      'structure',
      { model_spec: { ...SPEC, extra: 1 } },
      { field: '/model_spec/extra', expected: null, actual: 1 },
    ],
    [
      'vocabulary',
      { model_spec: { ...SPEC, vocab_size: 65 } },
      { field: '/model_spec/vocab_size', expected: 64, actual: 65 },
    ],
    [
      'tokenizer',
      { model_spec: { ...SPEC, tokenizer: { ...SPEC.tokenizer, revision: '2' } } },
      { field: '/model_spec/tokenizer/revision', expected: '1', actual: '2' },
    ],
    [
      'tokenizer',
      { tokenizer_digest: digest('c') },
      { field: '/tokenizer_digest', expected: digest('b'), actual: digest('c') },
    ],
    [
      'artifact',
      { artifact_digest: digest('c') },
      { field: '/artifact_digest', expected: WEIGHTS, actual: digest('c') },
    ],
    [
      'artifact',
      { model_spec: { ...SPEC, artifact_sha256: digest('c') } },
      { field: '/model_spec/artifact_sha256', expected: WEIGHTS, actual: digest('c') },
    ],
    [
      'structure',
      { model_spec_digest: digest('c') },
      {
        field: '/model_spec_digest',
        expected: expect.stringMatching(/^sha256:/),
        actual: digest('c'),
      },
    ],
  ])('says where the %s differs: %j', async (aspect, asked, mismatch) => {
    const answer = await compare(asked);

    expect(answer.compatible).toBe(false);
    expect(answer.mismatches).toEqual([{ aspect, ...mismatch }]);
  });

  it('compares only what is given, and says what that was', async () => {
    expect(await compare({ artifact_digest: WEIGHTS })).toMatchObject({
      compatible: true,
      checked: ['artifact'],
    });
    expect(await compare({ model_spec: SPEC }, '/models/bare/compatibility')).toMatchObject({
      compatible: false,
      mismatches: [{ field: '/model_spec', expected: null }],
    });
  });

  it.each<[unknown, string, number, string]>([
    [{}, '', 422, 'validation_failed'],
    [{ tokenizer_digest: 'abc' }, '', 422, 'validation_failed'],
    [{ model_spec: { d_model: 3 } }, '', 422, 'validation_failed'],
    [{ artifact_digest: digest('a') }, '?version=9.0.0', 404, 'model_not_found'],
    [{ artifact_digest: digest('a') }, '?alias=x', 404, 'alias_not_found'],
  ])('refuses %j%s', async (body, query, status, code) => {
    const answer = await ask(body, `/models/compared/compatibility${query}`);

    expect(answer.status).toBe(status);
    expect(await problemOf(answer)).toMatchObject({ code });
  });
});
