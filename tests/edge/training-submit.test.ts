import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VersionRecord } from '../../edge/registry/contract/model.ts';
import { JobList, JobRecord } from '../../edge/training/contract/job.ts';
import { postJson, problemOf, startEdge, tiny, upload } from './harness.ts';
import { type GuardedEdge, send, startGuardedEdge } from './keys-in-hand.ts';
import { completed, smallJob, trainingClient, type TrainingClient } from './training-client.ts';

let edge: Awaited<ReturnType<typeof startEdge>>;
let client: TrainingClient;
beforeAll(async () => {
  edge = await startEdge();
  client = trainingClient(edge.training);
});
afterAll(() => edge[Symbol.asyncDispose]());

const submit = (body: unknown) => postJson(new URL('/train', edge.training), body);
const count = async () =>
  JobList.parse(await (await fetch(new URL('/jobs', edge.training))).json()).total;

const lmJob = {
  category: 'LangText',
  dataset_path: 'corpora/a.txt',
  steps: 10,
  d_model: 32,
  n_heads: 2,
};

describe('a path', () => {
  it.each([
    ['absolute', '/etc/passwd'],
    ['climbing', '../secret'],
    ['climbing inside', 'a/../../b'],
    ['a dot', './a'],
    ['a backslash', 'a\\b'],
    ['a UNC path', '\\\\host\\share'],
    ['a NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['encoded dots', '%2e%2e/a'],
    ['dots encoded twice', '%252e%252e/a'],
    ['an encoded slash', 'a%2f..%2fb'],
    ['an encoded NUL', 'a%00b'],
    ['an encoded backslash', '..%5ca'],
    ['a drive', 'C:/data'],
    ['an encoded drive', 'C%3a/data'],
    ['a home folder', '~/data'],
    ['a URL', 'file:///etc/passwd'],
    ['encoded all over', '%25252525252e'],
  ])('is refused where it is %s', async (_, path) => {
    const before = await count();
    for (const field of ['dataset_path', 'output_dir', 'base_model_path']) {
      const answer = await submit({ ...smallJob, [field]: path });

      expect(answer.status).toBe(400);
      const problem = await problemOf(answer);
      expect(problem).toMatchObject({ code: 'unsafe_path', errors: [{ pointer: `/${field}` }] });
      expect(JSON.stringify(problem)).not.toContain(path);
    }
    expect(await count()).toBe(before);
  });

  it.each(['corpora/a.txt', 'a b/ä 100%.txt', 'a..b/..c', 'datasets.txt'])(
    'may be %s',
    async (dataset_path) => {
      expect((await submit({ ...smallJob, dataset_path })).status).toBe(202);
    },
  );
});

describe('a body', () => {
  it.each([
    ['{', 400, 'invalid_json'],
    ['[]', 422, 'validation_failed'],
    ['{}', 422, 'validation_failed'],
    ['null', 422, 'validation_failed'],
  ])('of %s is refused', async (body, status, code) => {
    const answer = await fetch(new URL('/train', edge.training), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });

    expect(answer.status).toBe(status);
    expect((await problemOf(answer)).code).toBe(code);
  });

  // Errors are reported against the intended variant of the schema.
  it.each([
    [{ ...smallJob, config: { ...smallJob.config, steps: -1 } }, '/config/steps'],
    [{ ...smallJob, config: { ...smallJob.config, epochs: 1 } }, '/config/epochs'],
    [{ ...smallJob, colour: 'red' }, '/colour'],
    [{ ...smallJob, priority: 101 }, '/priority'],
    [{ ...smallJob, learning_rate: 0 }, '/learning_rate'],
    [{ ...smallJob, replicas: 65 }, '/replicas'],
    [{ ...lmJob, category: 'Smell' }, '/category'],
    [{ ...lmJob, batch_size: 0 }, '/batch_size'],
    [{ ...lmJob, dataset_path: '' }, '/dataset_path'],
  ])('is refused with the place of its fault: %#', async (body, pointer) => {
    const answer = await submit(body);

    const { code, errors } = await problemOf(answer);
    expect([code, errors?.[0]?.pointer]).toEqual(['validation_failed', pointer]);
  });

  it('rule 1: is refused where the heads do not divide the width', async () => {
    const config = { ...smallJob.config, d_model: 100, n_heads: 3 };

    const own = await problemOf(await submit({ ...smallJob, config }));
    const lm = await problemOf(await submit({ ...lmJob, d_model: 100, n_heads: 3 }));

    expect(own).toMatchObject({ status: 422, code: 'invalid_structure' });
    expect(own.errors?.[0]).toMatchObject({
      pointer: '/config/n_heads',
      detail: 'expected a divisor of d_model 100, got 3',
    });
    expect(lm.errors?.[0]?.pointer).toBe('/n_heads');
  });

  it('stores what was submitted, verbatim', async () => {
    const answer = await submit({
      ...smallJob,
      learning_rate: 0.003,
      config: { epochs: 1.5, d_model: 32, n_heads: 2, seq_len: 48, batch_size: 7 },
    });

    const job = JobRecord.parse(await answer.json());
    expect(answer.headers.get('location')).toBe(`/jobs/${job.job_id}`);
    const submitted = { learning_rate: 0.003, epochs: 1.5, seq_len: 48, batch_size: 7 };
    expect(job.submitted).toMatchObject(submitted);
    expect(job).toMatchObject({ kind: 'train', learning_rate: 0.003, effective: null });
  });

  it('of the language-model form makes the same kind of job', async () => {
    const job = JobRecord.parse(await (await submit({ ...lmJob, gpu: true })).json());

    expect(job).toMatchObject({
      kind: 'lm',
      category: 'LangText',
      model_type: 'dense_chronospike',
      config: { steps: 10, d_model: 32, n_heads: 2, batch_size: 8 },
      controls: { batch_size: { value: 8, reason: expect.stringContaining('the recipe tiny') } },
      status_reason: expect.stringContaining('has a gpu'),
    });
  });
});

describe('a base model', () => {
  const spec = {
    model_spec_version: 1,
    model_family: 'SpikingEvoTextLM',
    architecture: 'dense_chronospike',
    d_model: 32,
    n_heads: 2,
    num_blocks: 4,
    time_steps: 4,
    neuron_type: 'LIF',
    vocab_size: 65,
  };

  async function register(model_id: string, model_spec: object = spec): Promise<void> {
    const registration = { ...tiny, model_id, model_spec };
    const answer = await postJson(new URL('/models/register', edge.registry), registration);
    expect(answer.status).toBe(201);
  }

  it('must be there, be whole, and match exactly', async () => {
    await register('base');
    const base_model = { model_id: 'base' };
    const other = { ...smallJob.config, d_model: 64, num_blocks: 2 };

    const missing = await submit({ ...smallJob, base_model: { model_id: 'nobody' } });
    const version = await submit({ ...smallJob, base_model: { ...base_model, version: '9.0.0' } });
    const differs = await submit({ ...smallJob, config: other, base_model });
    const empty = await submit({ ...smallJob, base_model });

    expect([missing.status, version.status]).toEqual([404, 404]);
    expect((await problemOf(missing)).code).toBe('model_not_found');
    expect((await problemOf(version)).code).toBe('model_not_found');
    expect(await problemOf(differs)).toMatchObject({
      status: 409,
      code: 'base_model_mismatch',
      mismatches: [
        { aspect: 'structure', field: '/model_spec/d_model', expected: 32, actual: 64 },
        { aspect: 'structure', field: '/model_spec/num_blocks', expected: 4, actual: 2 },
      ],
    });
    expect((await problemOf(empty)).detail).toContain('PENDING');
  });

  it('has the requested tokenizer, whose size may be omitted', async () => {
    const tokenizer = { name: 'bpe', revision: '1', files_sha256: { 'tokenizer.json': 'a' } };
    await register('bytes', { ...spec, tokenizer });
    const base_model = { model_id: 'bytes' };
    const config = { ...smallJob.config, tokenizer: 'bpe' };

    const other = { ...smallJob.config, tokenizer: 'character' };
    const differs = await submit({ ...smallJob, config: other, base_model });
    const same = await submit({ ...smallJob, config, base_model });

    expect((await problemOf(differs))['mismatches']).toEqual([
      {
        aspect: 'tokenizer',
        field: '/model_spec/tokenizer/name',
        expected: 'bpe',
        actual: 'character',
      },
    ]);
    // It has no files yet, which is all that is wrong with it.
    expect((await problemOf(same)).detail).toContain('PENDING');
  });

  it('is pinned to the version that it is now', async () => {
    await register('whole');
    const model = `${edge.registry.origin}/models/whole`;
    const { model_id, version } = await filled(model);

    const answer = await submit({ ...smallJob, base_model: { model_id } });
    const { job_id } = JobRecord.parse(await answer.json());
    const { trainer_id } = await client.announce();
    const lease = await untilLease(trainer_id, job_id);

    expect(lease.request).toMatchObject({ base_model: { model_id, version } });
  });

  async function filled(model: string): Promise<Pick<VersionRecord, 'model_id' | 'version'>> {
    for (const filename of ['model.safetensors', 'config.json', 'tokenizer.json']) {
      await upload(model, { filename }, 'bytes');
    }
    return { model_id: 'whole', version: '1.0.0' };
  }

  /** Other tests left jobs that this trainer could take. */
  async function untilLease(trainer_id: string, job_id: string) {
    for (;;) {
      const lease = (await client.lease(trainer_id))!;
      if (lease.job.job_id === job_id) return lease;
      await client.end(lease, completed);
    }
  }
});

describe('a list of jobs', () => {
  it('is filtered and turned over page by page', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push((await client.submit({ model_name: 'listed' })).job_id);
    }
    await client.cancel(ids[2]!);
    const list = async (query: string) => {
      const answer = await fetch(new URL(`/jobs?model_name=listed&${query}`, edge.training));
      return JobList.parse(await answer.json());
    };

    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    const oldest = await list('order=asc&limit=3');
    const rest = await list(`order=asc&limit=3&cursor=${oldest.next_cursor}`);
    const chosen = await list('status=cancelled&status=failed');

    const shown = ({ jobs }: JobList) => jobs.map(({ job_id }) => ids.indexOf(job_id));
    expect([first, second].map(shown)).toEqual([
      [4, 3],
      [2, 1],
    ]);
    expect([oldest, rest].map(shown)).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    expect(shown(chosen)).toEqual([2]);
    expect(first).toMatchObject({ total: 5, has_more: true });
    expect((await list('created_before=2020-01-01T00:00:00Z')).total).toBe(0);
    expect((await list('trainer_id=nobody')).total).toBe(0);
  });
});

describe('a request with an Idempotency-Key', () => {
  it('makes one job, however often it is sent', async () => {
    const before = await count();
    const once = () =>
      fetch(new URL('/train', edge.training), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify(smallJob),
      });

    const [one, two] = [await once(), await once()];

    expect([one.status, two.status]).toEqual([202, 202]);
    expect(two.headers.get('idempotency-replayed')).toBe('true');
    expect(await two.json()).toEqual(await one.json());
    expect(await count()).toBe(before + 1);
  });
});

describe('owners', () => {
  let guarded: GuardedEdge;
  beforeAll(async () => {
    guarded = await startGuardedEdge();
  });
  afterAll(() => guarded[Symbol.asyncDispose]());

  it('are served in turn, and may submit ten jobs a minute', async () => {
    const [greedy, modest] = [await guarded.keyFor(['train']), await guarded.keyFor(['train'])];
    const train = (key: string) =>
      send(new URL('/train', guarded.training), { key, method: 'POST', json: smallJob });
    for (let i = 0; i < 10; i++) expect((await train(greedy.key)).status).toBe(202);
    const eleventh = await train(greedy.key);
    for (let i = 0; i < 3; i++) expect((await train(modest.key)).status).toBe(202);

    const admin = trainingClient(guarded.training, { authorization: `Bearer ${guarded.admin}` });
    const { trainer_id } = await admin.announce();
    const served: string[] = [];
    for (let i = 0; i < 8; i++) {
      const lease = (await admin.lease(trainer_id))!;
      served.push(lease.job.created_by === modest.key_id ? 'modest' : 'greedy');
      await admin.end(lease, completed);
    }

    expect(eleventh.status).toBe(429);
    expect((await problemOf(eleventh)).code).toBe('rate_limited');
    expect(served).toEqual([
      ...['greedy', 'modest', 'greedy', 'modest', 'greedy', 'modest'],
      ...['greedy', 'greedy'],
    ]);
  });
});
