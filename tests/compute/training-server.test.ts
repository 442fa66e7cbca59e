import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessEndpoints } from '../../edge/access/endpoints.ts';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { gatewayEndpoints } from '../../edge/gateway/endpoints.ts';
import { CapacityAnswer } from '../../edge/training/contract/capacity.ts';
import { Health } from '../../edge/health/contract/health.ts';
import { JobList, JobRecord } from '../../edge/training/contract/job.ts';
import { ProblemDocument } from '../../edge/contract/problem.ts';
import type { CategoryRequestInput } from '../../edge/training/contract/train-request.ts';
import { watchOrigin } from '../edge/answer-log.ts';
import { readMetrics } from '../edge/exposition-lint.ts';
import { isOver, startTrainingPlatform, type TrainingPlatform } from './training-platform.ts';

const cli = fileURLToPath(new URL('../../dist/node/spikegrid.js', import.meta.url));

const small: CategoryRequestInput = {
  category: 'LangText',
  dataset_path: 'moby-dick.txt',
  output_name: 'pequod',
  steps: 20,
  d_model: 16,
  n_heads: 2,
  num_blocks: 1,
  time_steps: 2,
  seq_len: 16,
  batch_size: 4,
  learning_rate: 0.01,
};

let platform: TrainingPlatform;
let server: ChildProcess;
let exited: Promise<unknown>;
let output: string;
let base: string;
let trainerId: string;

beforeAll(async () => {
  platform = await startTrainingPlatform();
  output = join(platform.folder, 'server');
  writeFileSync(join(platform.data, 'greek.txt'), 'αβγδεζηθικλμνξοπ '.repeat(200));
  symlinkSync('/etc/hostname', join(platform.data, 'link.txt'));
  await startServer();
});
afterAll(async () => {
  await stopServer();
  await platform.end();
});

async function startServer(): Promise<void> {
  const roots = ['--data', platform.data, '--output', output];
  const args = [
    'training-server',
    '--gateway',
    platform.gateway,
    '--port',
    '0',
    '--name',
    'pequod',
  ];
  const env = { ...process.env, DEVICE: 'cpu', SERVICE_HOST: '127.0.0.1' };
  server = spawn(process.execPath, [cli, ...args, ...roots, '--threads', '1'], { env });
  exited = once(server, 'exit');
  let said = '';
  const listening = new Promise<void>((resolve) => {
    server.stderr!.on('data', (chunk) => {
      said += chunk;
      const found = /listening on (\S+) for trainer (\S+)\n/.exec(said);
      if (!found) return;
      [, base = '', trainerId = ''] = found;
      watchOrigin(new URL(base), '/lm-training');
      resolve();
    });
  });
  const ended = exited.then(() => {
    throw new Error(`the server ended: ${said}`);
  });
  await Promise.race([listening, ended]);
  ended.catch(() => undefined);
}

async function stopServer(): Promise<void> {
  server.kill('SIGTERM');
  await exited;
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const train = (changes: object, headers?: Record<string, string>) =>
  post('/train', { ...small, ...changes }, headers);

async function problemOf(answer: Response) {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  return ProblemDocument.parse(await answer.json());
}

describe('a language-model training server', () => {
  it('shows what it measures on its own port', async () => {
    await fetch(`${base}/health`);

    expect(await readMetrics(base)).toMatch(
      /^http_requests_total\{.*route="\/health".*service="lm-training-server"\} \d+$/m,
    );
  });

  it('trains what it was sent itself, and the result is registered', async () => {
    const answer = await train({ metadata: { why: 'test' } });
    const job = JobRecord.parse(await answer.json());
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/jobs/${job.job_id}`);
    expect(job).toMatchObject({ kind: 'lm', requirements: { trainer_id: trainerId } });

    const done = await platform.until(job.job_id, isOver);

    expect(done).toMatchObject({ status: 'succeeded', model: { model_id: 'pequod' } });
    expect(done.attempts.map((attempt) => attempt.trainer_id)).toEqual([trainerId]);
    // The run used the requested configuration.
    expect(done.effective).toMatchObject({ batch_size: 4, seq_len: 16, learning_rate: 0.01 });
    const read = JobRecord.parse(await (await fetch(`${base}/jobs/${job.job_id}`)).json());
    expect(read.status).toBe('succeeded');
  });

  it('lists its own jobs, those in the queue too, and no others', async () => {
    const other = await platform.submit({ requirements: { trainer_id: 'trn_none' } });
    const first = JobRecord.parse(await (await train({ steps: 3000 })).json());
    const queued = JobRecord.parse(await (await train({})).json());

    const list = JobList.parse(await (await fetch(`${base}/jobs?limit=50`)).json());
    const ids = list.jobs.map(({ job_id }) => job_id);
    const foreign = await problemOf(await fetch(`${base}/jobs/${other.job_id}`));
    const refused = await post(`/jobs/${other.job_id}/cancel`, {});
    const cancelled = await Promise.all(
      [queued, first].map(({ job_id }) => post(`/jobs/${job_id}/cancel`, {})),
    );

    expect(ids.slice(0, 2)).toEqual([queued.job_id, first.job_id]);
    expect(ids).not.toContain(other.job_id);
    expect(foreign).toMatchObject({ status: 404, code: 'job_not_found' });
    expect(refused.status).toBe(404);
    for (const { status } of cancelled) expect([200, 202]).toContain(status);
    expect(await platform.until(first.job_id, isOver)).toMatchObject({ status: 'cancelled' });
    await platform.cancel(other.job_id);
  });

  it.each<[string, number, string, object]>([
    ['a file that is not there', 404, 'dataset_not_found', { dataset_path: 'no.txt' }],
    ['no such platform dataset', 404, 'dataset_not_found', { dataset_path: 'datasets/none' }],
    ['a path that climbs', 400, 'unsafe_path', { dataset_path: '../secret.txt' }],
    ['an encoded climb', 400, 'unsafe_path', { dataset_path: '%2e%2e/secret.txt' }],
    ['an absolute path', 400, 'unsafe_path', { dataset_path: '/etc/hostname' }],
    ['a link out of its root', 400, 'unsafe_path', { dataset_path: 'link.txt' }],
    ['an output that climbs', 400, 'unsafe_path', { output_dir: 'a/../../b' }],
    ['a base model that climbs', 400, 'unsafe_path', { base_model_path: '..' }],
    ['a base model that is not there', 404, 'model_not_found', { base_model_path: 'none' }],
    ['heads that do not divide', 422, 'invalid_structure', { n_heads: 3 }],
    ['another form', 422, 'validation_failed', { d_model: 'wide' }],
    ['an unknown field', 422, 'validation_failed', { temperature: 1 }],
    ['a GPU where there is none', 422, 'validation_failed', { gpu: true }],
    ['another trainer', 422, 'validation_failed', { requirements: { trainer_id: 'trn_other' } }],
  ])('refuses %s', async (_, status, code, changes) => {
    const before = await jobCount();

    const problem = await problemOf(await train(changes));

    expect(problem).toMatchObject({ status, code });
    expect(JSON.stringify(problem)).not.toContain(platform.folder);
    expect(await jobCount()).toBe(before);
  });

  it('refuses what does not fit, with all numbers, and shrinks nothing', async () => {
    const huge = { d_model: 4096, n_heads: 32, num_blocks: 64, batch_size: 512, seq_len: 1024 };

    const problem = await problemOf(await train(huge));
    const asked = await post('/training-capacity', { ...small, ...huge });
    const answer = CapacityAnswer.parse(await asked.json());

    expect(problem).toMatchObject({ status: 422, code: 'insufficient_vram' });
    expect(problem['capacity']).toMatchObject({ checked: true, fits: false, gpu_index: null });
    expect(answer.capacity.required_bytes).toBeGreaterThan(answer.capacity.free_bytes!);
    expect(answer.candidates).toMatchObject([
      { trainer_id: trainerId, name: 'pequod', excluded: 'its device has too little memory' },
    ]);
  });

  it('says that a small run fits, without submitting it', async () => {
    const before = await jobCount();

    const answer = CapacityAnswer.parse(await (await post('/training-capacity', small)).json());

    expect(answer.capacity).toMatchObject({ checked: true, fits: true });
    const { parameters, gradients, optimiser, arena, margin, reserve } = answer.capacity.breakdown;
    expect(answer.capacity.required_bytes).toBe(
      parameters + gradients + optimiser + arena + margin + reserve,
    );
    expect(answer.candidates).toMatchObject([{ trainer_id: trainerId, excluded: null }]);
    expect(await jobCount()).toBe(before);
  });

  it('goes on from a checkpoint in tokens of bytes with any text at all', async () => {
    const bpe = { tokenizer: 'bpe', steps: 5 };
    const asked = { ...bpe, vocab_size: 300, normalise: 'nfkc', output_dir: 'bytes' };
    const first = JobRecord.parse(await (await train(asked)).json());
    expect((await platform.until(first.job_id, isOver)).status).toBe('succeeded');

    const other = { ...bpe, base_model_path: 'bytes', dataset_path: 'greek.txt' };
    const next = JobRecord.parse(await (await train(other)).json());

    expect((await platform.until(next.job_id, isOver)).status).toBe('succeeded');
  });

  it('rule 4: goes on from a checkpoint of its own only where all of it is the same', async () => {
    const first = JobRecord.parse(await (await train({ output_dir: 'base', steps: 5 })).json());
    await platform.until(first.job_id, isOver);
    const base_model_path = 'base';

    const wider = await problemOf(await train({ base_model_path, d_model: 32, time_steps: 3 }));
    const foreign = await problemOf(await train({ base_model_path, dataset_path: 'greek.txt' }));
    const bytes = await problemOf(await train({ base_model_path, tokenizer: 'bpe' }));
    const same = JobRecord.parse(await (await train({ base_model_path, steps: 5 })).json());
    const done = await platform.until(same.job_id, isOver);
    damage(join(output, 'base'));
    const damaged = await problemOf(await train({ base_model_path }));

    expect(wider).toMatchObject({ status: 409, code: 'base_model_mismatch' });
    expect(wider['mismatches']).toEqual([
      { aspect: 'structure', field: '/d_model', expected: 16, actual: 32 },
      { aspect: 'structure', field: '/time_steps', expected: 2, actual: 3 },
    ]);
    expect(foreign['mismatches']).toMatchObject([
      { aspect: 'vocabulary', field: '/dataset_path', actual: expect.stringContaining('λ') },
    ]);
    expect(bytes['mismatches']).toEqual([
      { aspect: 'tokenizer', field: '/tokenizer', expected: 'character', actual: 'bpe' },
    ]);
    expect(done.status).toBe('succeeded');
    expect(damaged['mismatches']).toMatchObject([
      {
        aspect: 'artifact',
        actual: expect.stringMatching(/model\.safetensors was altered: its sha256/),
      },
    ]);
  });

  it('submits once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'the-same-key' };

    const jobs = [await train({}, headers), await train({}, headers)].map(async (answer) =>
      JobRecord.parse(await answer.json()),
    );

    const [a, b] = await Promise.all(jobs);
    expect(b!.job_id).toBe(a!.job_id);
  });

  it('does for whom the gateway passes on what he may do himself, not what its own key may', async () => {
    const http = openHttp({ base: platform.gateway });
    const service = { name: 'lm-training-server', url: base };
    await callEndpoint(http, gatewayEndpoints.registerService, { body: service });
    const asked = { name: 'theirs', scopes: ['train' as const], team: 'vision' };
    const { key } = (await callEndpoint(http, accessEndpoints.createKey, { body: asked })).body;
    const own = JobRecord.parse(await (await train({ steps: 3000 })).json());
    const through = (path: string, init: RequestInit = {}) =>
      fetch(`${platform.gateway}/lm-training-server${path}`, {
        ...init,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      });

    for (const path of ['/train', '/training-capacity']) {
      const refused = await through(path, { method: 'POST', body: JSON.stringify(small) });
      expect(await problemOf(refused)).toMatchObject({ status: 403, code: 'forbidden' });
    }
    expect((await through(`/jobs/${own.job_id}`)).status).toBe(404);
    expect((await through(`/jobs/${own.job_id}/cancel`, { method: 'POST' })).status).toBe(404);
    expect(await (await through('/jobs')).json()).toMatchObject({ jobs: [], total: 0 });
    expect((await platform.cancel(own.job_id)).status).toMatch(/^cancel/);
  });

  it('takes calls without credentials from this machine only, by its name and from no page', async () => {
    const asked = (headers: Record<string, string>) => statusOf('/jobs', headers);

    expect(await asked({})).toBe(200);
    expect(await asked({ 'x-forwarded-for': '10.0.0.1' })).toBe(401);
    expect(await asked({ host: 'evil.example' })).toBe(401);
    expect(await asked({ origin: 'https://evil.example' })).toBe(403);
    expect(await asked({ authorization: 'Bearer sg_nobody_nothing' })).toBe(401);
  });

  it('answers in problem documents where nothing is served, and says how it is', async () => {
    const nowhere = await problemOf(await fetch(`${base}/nowhere`));
    const wrong = await fetch(`${base}/train`);
    const health = await fetch(`${base}/health`);

    expect(nowhere).toMatchObject({ status: 404, code: 'route_not_found' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    expect(Health.parse(await health.json())).toMatchObject({
      status: 'ok',
      checks: { gateway: { status: 'ok' } },
    });
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
  });

  it('is the same trainer after a restart, and trains what waited for it', async () => {
    const before = trainerId;
    const long = JobRecord.parse(await (await train({ steps: 300 })).json());
    const waiting = JobRecord.parse(await (await train({})).json());
    await platform.until(long.job_id, ({ status }) => status === 'running');

    await stopServer();
    await startServer();

    expect(trainerId).toBe(before);
    expect((await platform.until(waiting.job_id, isOver, 120_000)).status).toBe('succeeded');
    expect((await platform.until(long.job_id, isOver, 120_000)).status).toBe('succeeded');
  });
});

async function jobCount(): Promise<number> {
  return JobList.parse(await (await fetch(`${base}/jobs`)).json()).total;
}

/** By node:http, as fetch sets some headers itself. */
async function statusOf(path: string, headers: Record<string, string>): Promise<number> {
  const asked = httpRequest(base + path, { headers });
  asked.end();
  const [answer] = await once(asked, 'response');
  answer.resume();
  return answer.statusCode;
}

/** Alters one byte of the weights of the last checkpoint below a folder. */
function damage(folder: string): void {
  const checkpoints = readdirSync(folder).filter((name) => name.startsWith('checkpoint-'));
  const last = checkpoints.toSorted().at(-1)!;
  const place = join(folder, last, 'model.safetensors');
  const bytes = readFileSync(place);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(place, bytes);
}
