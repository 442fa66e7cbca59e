import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, type Edge, postJson, problemOf, sha256, startEdge } from './harness.ts';
import {
  aDigest,
  aTrainer,
  completed,
  progressAt,
  smallJob,
  trainingClient,
  type TrainingClient,
} from './training-client.ts';

let edge: Edge;
let client: TrainingClient;
beforeAll(async () => {
  edge = await startEdge();
  client = trainingClient(edge.training);
});
afterAll(() => edge[Symbol.asyncDispose]());

const proof = { lease_id: 'lea_none', fencing_token: 1 };
const file = { filename: 'a', digest: aDigest, size_bytes: 0, parts: [] };
const checkpoint = {
  ...{ ...proof, step: 1, epoch: 0, metrics: {}, digest: aDigest, structure_digest: aDigest },
  ...{ vocabulary_digest: aDigest, tokenizer_digest: aDigest, resumable: true, files: [file] },
};
const beat = { ...proof, phase: 'running', progress: progressAt(1), points: [], messages: [] };
const delta = { ...proof, round: 1, tokens: 1, loss: 1, base_digest: aDigest, delta: file };

async function ask(path: string, body?: unknown, method?: string): Promise<Response> {
  const url = new URL(path, edge.training);
  return body === undefined ? fetch(url, { method: method ?? 'GET' }) : postJson(url, body);
}

it('a filter of more statuses than there are is refused, naming it', async () => {
  const statuses = Array.from({ length: 101 }, () => 'status=queued').join('&');
  const problem = await problemOf(await ask(`/jobs?${statuses}`));

  expect(problem).toMatchObject({ status: 400, code: 'invalid_parameter' });
  expect(JSON.stringify(problem)).toContain('status');
});

describe('what there is not', () => {
  it.each([
    ['/jobs/job_none', undefined],
    ['/jobs/job_none/events', undefined],
    ['/jobs/job_none/metrics', undefined],
    ['/jobs/job_none/checkpoints', undefined],
    ['/jobs/job_none/rounds?after=0&wait_s=0', undefined],
    ['/jobs/job_none/cancel', {}],
    ['/jobs/job_none/heartbeat', beat],
    ['/jobs/job_none/checkpoints', checkpoint],
    ['/jobs/job_none/lease-end', { ...proof, outcome: 'cancelled' }],
    ['/jobs/job_none/rounds', delta],
  ])('is refused as job_not_found: %s', async (path, body) => {
    const answer = await ask(path, body);

    expect(answer.status).toBe(404);
    expect((await problemOf(answer)).code).toBe('job_not_found');
  });

  it.each([
    ['GET', '/trainers/trn_none', undefined],
    ['DELETE', '/trainers/trn_none', undefined],
    ['POST', '/trainers/trn_none/drain', { draining: true }],
    ['POST', '/leases', { trainer_id: 'trn_none', wait_s: 0 }],
  ])('is refused as trainer_not_found: %s %s', async (method, path, body) => {
    const answer = await ask(path, body, method);

    expect(answer.status).toBe(404);
    expect((await problemOf(answer)).code).toBe('trainer_not_found');
  });

  it('is refused as dataset_not_found where a job names it', async () => {
    const answer = await ask('/train', { ...smallJob, dataset_path: 'datasets/none' });

    expect((await problemOf(answer)).code).toBe('dataset_not_found');
  });
});

describe('a job that has ended', () => {
  it('cannot be cancelled, and stays what it is', async () => {
    const { job_id } = await client.submit();
    const { trainer_id } = await client.announce();
    const lease = (await client.lease(trainer_id))!;
    await client.beat(lease);
    const done = await client.end(lease, completed);

    const answer = await ask(`/jobs/${job_id}/cancel`, {});

    expect(await problemOf(answer)).toMatchObject({ status: 409, code: 'job_terminal' });
    expect(await client.job(job_id)).toEqual(done);
    expect((await ask(`/jobs/${job_id}/rounds`, delta)).status).toBe(409);
  });
});

describe('a checkpoint', () => {
  it('is refused where its parts are not there, or are not what it says', async () => {
    const { job_id } = await client.submit();
    const { trainer_id } = await client.announce();
    const lease = (await client.lease(trainer_id))!;
    const bytes = bytesOf(10, 1);
    const part = { digest: sha256(bytes), size_bytes: 10 };
    const named = { filename: 'model.safetensors', ...part, parts: [part] };

    await expect(client.commit(lease, 1, { files: [named] })).rejects.toMatchObject({
      code: 'part_not_found',
    });
    await expect(
      client.commit(lease, 1, { files: [{ ...named, size_bytes: 11 }] }),
    ).rejects.toMatchObject({ code: 'digest_mismatch' });
    expect((await client.job(job_id)).checkpoints).toEqual([]);
  });
});

describe('a service that is full', () => {
  it('takes no job more than 10,000 under way, and no trainer more than 1,000', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-full-'));
    try {
      const before = await startEdge({ stateDir });
      const first = trainingClient(before.training);
      await first.submit();
      await first.announce();
      await before[Symbol.asyncDispose]();
      multiply(stateDir, 'jobs', 'job_id', 10_000);
      multiply(stateDir, 'trainers', 'trainer_id', 1000);
      await using full = await startEdge({ stateDir });

      const job = await postJson(new URL('/train', full.training), smallJob);
      const lm = { category: 'LangText', dataset_path: 'a', steps: 1 };
      const lmJob = await postJson(new URL('/train', full['lm-training']), lm);
      const trainer = await postJson(new URL('/trainers', full.training), aTrainer);

      for (const answer of [job, lmJob, trainer]) {
        expect(answer.status).toBe(507);
        expect((await problemOf(answer)).code).toBe('storage_full');
      }
      const oldest = `${new URL('/jobs', full.training)}?order=asc&limit=1`;
      const { jobs } = (await (await fetch(oldest)).json()) as { jobs: { job_id: string }[] };
      await trainingClient(full.training).cancel(jobs[0]!.job_id);
      // One has ended, and gives its place away.
      const next = await postJson(new URL('/train', full.training), smallJob);
      expect(next.status).toBe(202);
    } finally {
      rmSync(stateDir, { recursive: true });
    }
  }, 60_000);
});

/** Copies the one row of a table of the Training object, while nobody runs. */
function multiply(stateDir: string, table: string, key: string, rows: number): void {
  const files = readdirSync(stateDir, { recursive: true, encoding: 'utf8' });
  const [stored, ...more] = files.filter((path) => /Training\/[0-9a-f]{64}\.sqlite$/.test(path));
  expect(more).toEqual([]);
  const database = new DatabaseSync(join(stateDir, stored!));
  const names = database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
  const columns = names.map(({ name }) => String(name)).filter((name) => name !== 'seq');
  const values = columns.map((name) => (name === key ? `${key} || '_' || n` : name));
  database.exec(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows - 1})
     INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${values.join(', ')} FROM ${table}, numbers`,
  );
  database.close();
}
