import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenizerFile, tokenizerReferenceOf } from '../../engine/checkpoint/tokenizer-bundle.ts';
import { createCharacterTokenizer } from '../../engine/data/tokenizers/character-tokenizer.ts';
import { JobRecord } from '../../edge/training/contract/job.ts';
import type { ProblemDocument } from '../../edge/contract/problem.ts';
import { postJson, problemOf, startEdge, tiny, upload } from './harness.ts';
import { cut, putDataset } from './part-requests.ts';
import { completed, smallJob, trainingClient, type TrainingClient } from './training-client.ts';

let edge: Awaited<ReturnType<typeof startEdge>>;
let client: TrainingClient;
beforeAll(async () => {
  edge = await startEdge();
  client = trainingClient(edge.training);
  await register('base', spec);
  await putText('abc', 'abcabc\n'.repeat(50));
  await putText('greek', 'αβγ\n'.repeat(50));
});
afterAll(() => edge[Symbol.asyncDispose]());

const tokenizer = createCharacterTokenizer(['\n', 'a', 'b', 'c']);
const spec = {
  model_spec_version: 1,
  model_family: 'SpikingEvoTextLM',
  architecture: 'dense_chronospike',
  d_model: 48,
  n_heads: 3,
  num_blocks: 2,
  time_steps: 2,
  neuron_type: 'LIF',
  vocab_size: 4,
  tokenizer: tokenizerReferenceOf(tokenizer),
  core: { seq_len: 24 },
};
/** As a stranger would send it. */
const lm = { category: 'LangText', dataset_path: 'datasets/abc', steps: 10 };

const submit = (body: unknown) => postJson(new URL('/train', edge.training), body);
const submitted = async (body: unknown): Promise<JobRecord> => {
  const answer = await submit(body);
  expect(answer.status).toBe(202);
  return JobRecord.parse(await answer.json());
};
const refused = async (body: unknown): Promise<ProblemDocument> => problemOf(await submit(body));

async function register(model_id: string, model_spec: object, version = '1.0.0'): Promise<void> {
  const url = new URL('/models/register', edge.registry);
  const answer = await postJson(url, { ...tiny, model_id, version, model_spec });
  expect(answer.status).toBe(201);
  const model = `${edge.registry.origin}/models/${model_id}`;
  for (const filename of ['model.safetensors', 'config.json']) {
    await upload(model, { filename, version }, 'bytes');
  }
  await upload(model, { filename: 'tokenizer.json', version }, tokenizerBytes());
}

const tokenizerBytes = () => tokenizerFile(tokenizer).bytes as Uint8Array<ArrayBuffer>;

async function putText(name: string, text: string): Promise<void> {
  const parted = cut(new TextEncoder().encode(text), 1 << 20);
  expect((await putDataset(edge.training.origin, name, parted)).status).toBe(201);
}

describe('model_name of a language-model request', () => {
  it('names the model to go on from, whose structure fills what is left out', async () => {
    const job = await submitted({ ...lm, model_name: 'base@1.0.0', output_name: 'next' });

    expect(job).toMatchObject({
      model_name: 'next',
      output_name: 'next',
      base_model: { model_id: 'base', version: '1.0.0' },
      config: { d_model: 48, n_heads: 3, num_blocks: 2, seq_len: 24, tokenizer: 'character' },
    });
    expect(job.controls['seq_len']).toEqual({
      value: 24,
      reason: 'as in the base model base 1.0.0',
    });
    const { trainer_id } = await client.announce();
    const lease = (await client.lease(trainer_id))!;
    expect(lease.request).toMatchObject({ base_model: { model_id: 'base', version: '1.0.0' } });
    expect(lease.request).not.toHaveProperty('model_name');
    await client.end(lease, completed);
  });

  it('may name an alias; unknown ones are 404', async () => {
    const alias = await fetch(new URL('/models/base/aliases/production', edge.registry), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: '1.0.0' }),
    });
    expect(alias.status).toBe(201);

    const job = await submitted({ ...lm, model_name: 'base@production' });

    expect(job.base_model).toEqual({ model_id: 'base', version: '1.0.0' });
    for (const [model_name, code] of [
      ['nobody', 'model_not_found'],
      ['base@9.0.0', 'model_not_found'],
      ['base@nowhere', 'alias_not_found'],
    ]) {
      expect(await refused({ ...lm, model_name })).toMatchObject({ status: 404, code });
    }
    const twice = { ...lm, model_name: 'base', base_model: { model_id: 'base' } };
    expect((await refused(twice)).errors?.[0]?.pointer).toBe('/model_name');
    const captions = { ...lm, category: 'MultiModal', model_name: 'base' };
    expect((await refused(captions)).code).toBe('validation_failed');
  });

  // Rule 4; the other aspects of a base are in training-submit.test.ts.
  it.each<[string, object, object]>([
    [
      'seq_len',
      { seq_len: 32 },
      { aspect: 'structure', field: '/model_spec/core/seq_len', expected: 24, actual: 32 },
    ],
    [
      'the size of the vocabulary',
      { vocab_size: 300, tokenizer: 'character' },
      { aspect: 'vocabulary', field: '/model_spec/vocab_size', expected: 4, actual: 300 },
    ],
    [
      'characters of the text',
      { dataset_path: 'datasets/greek' },
      { aspect: 'vocabulary', field: '/dataset_path', expected: '\nabc', actual: '\nαβγ' },
    ],
    [
      'the architecture',
      { architecture: 'sparse_event_memory' },
      { aspect: 'structure', field: '/model_spec/architecture', actual: 'sparse_event_memory' },
    ],
    [
      'the tokenizer that is given',
      { tokenizer_file: 'datasets/abc' },
      { aspect: 'tokenizer', field: '/tokenizer_file' },
    ],
  ])('rule 4: is refused where %s is not the same', async (_, change, mismatch) => {
    const problem = await refused({ ...lm, model_name: 'base', ...change });

    expect(problem).toMatchObject({ status: 409, code: 'base_model_mismatch' });
    expect(problem['mismatches']).toMatchObject([mismatch]);
  });
});

describe('base_model_path', () => {
  it('rule 4: is compared with the result that was to be stored there', async () => {
    const first = await submitted({ ...lm, output_dir: 'runs/one' });
    const { trainer_id } = await client.announce();
    for (
      let lease = await client.lease(trainer_id);
      lease;
      lease = await client.lease(trainer_id)
    ) {
      const model = { model_id: 'base', version: '1.0.0', digest: `sha256:${'0a'.repeat(32)}` };
      await client.end(lease, { ...completed, model } as typeof completed);
      if (lease.job.job_id === first.job_id) break;
    }

    const wide = await refused({ ...lm, base_model_path: 'runs/one', d_model: 96 });
    const greek = { ...lm, base_model_path: 'runs/one', dataset_path: 'datasets/greek' };
    const same = await submitted({ ...lm, base_model_path: 'runs/one/step-10' });
    const unknown = await submitted({ ...lm, base_model_path: 'elsewhere', d_model: 96 });

    expect(wide['mismatches']).toMatchObject([{ field: '/model_spec/d_model', expected: 48 }]);
    expect((await refused(greek)).code).toBe('base_model_mismatch');
    expect(same.config).toMatchObject({ d_model: 48, seq_len: 24 });
    // Only its trainer can read it: what is left out of the structure is left to it.
    expect(unknown.config).toMatchObject({ d_model: 96 });
    expect(unknown.config).not.toHaveProperty('seq_len');
  });
});

describe('a result without a name', () => {
  it('is named by category, time and structure', async () => {
    const [a, b, wide, own] = await Promise.all([
      submitted({ ...lm, d_model: 32 }),
      submitted({ ...lm, d_model: 32, learning_rate: 0.5 }),
      submitted({ ...lm, d_model: 64 }),
      submitted({ ...smallJob, model_type: 'sparse_event_memory', config: { steps: 1 } }),
    ]);

    const structure = ({ model_name }: JobRecord) => model_name.split('-').at(-1);
    expect(a.model_name).toMatch(/^langtext-\d{8}-\d{6}-[0-9a-f]{8}$/);
    expect(own.model_name).toMatch(/^sparse_event_memory-\d{8}-\d{6}-[0-9a-f]{8}$/);
    expect(structure(a)).toBe(structure(b));
    expect(structure(wide)).not.toBe(structure(a));
  });
});

describe('ruling A17: what a request leaves out', () => {
  it('is chosen and recorded with its reason; what it gives is never changed', async () => {
    const given = { d_model: 48, learning_rate: 0.0123, batch_size: 3 };

    const job = await submitted({ ...lm, ...given });

    expect(job.submitted).toEqual({
      ...{ steps: 10, d_model: 48, batch_size: 3, learning_rate: 0.0123 },
      ...{ convergence_profile: 'auto', controls: {} },
    });
    expect(job).toMatchObject({ learning_rate: 0.0123, config: { d_model: 48, batch_size: 3 } });
    expect(Object.keys(job.controls)).not.toEqual(expect.arrayContaining(['d_model']));
    const { learning_rate: _, ...config } = { ...job.config };
    for (const [name, { value, reason }] of Object.entries(job.controls)) {
      expect(config[name]).toBe(value);
      expect(reason).not.toBe('');
    }
  });

  it('has heads that divide the width that is given', async () => {
    // Near the recipe tiny, of two heads, and near those of four.
    const [narrow, wide] = [
      await submitted({ ...lm, d_model: 33 }),
      await submitted({ ...lm, d_model: 99 }),
    ];

    expect(narrow.controls['n_heads']).toEqual({
      value: 1,
      reason: 'the most up to 2 that divide d_model 33',
    });
    expect(wide.controls['n_heads']).toEqual({
      value: 3,
      reason: 'the most up to 4 that divide d_model 99',
    });
  });

  it('rule 9: is a sequence of 64 tokens and a rate of 0.0001 by choice of stable_baseline', async () => {
    const job = await submitted({ ...lm, convergence_profile: 'stable_baseline', d_model: 512 });

    expect(job.controls).toMatchObject({
      seq_len: { value: 64, reason: 'of the choice stable_baseline' },
      learning_rate: { value: 1e-4, reason: 'of the choice stable_baseline' },
    });
  });
});

describe('made-up data', () => {
  it('needs no data set, and any trainer of the family takes it', async () => {
    const tones = { category: 'Audio', synthetic: true, steps: 5 };
    const job = await submitted(tones);
    expect(job.dataset_path).toBeNull();

    const { trainer_id } = await client.announce({
      ...{ categories: ['Audio'], model_types: ['spiking_audio'], datasets: [] },
    });
    const lease = await client.lease(trainer_id);

    expect(lease?.job.job_id).toBe(job.job_id);
    const silent = await refused({ ...tones, synthetic: false });
    expect(silent.errors?.[0]).toMatchObject({ pointer: '/dataset_path' });
  });
});
