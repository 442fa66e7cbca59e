import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CheckpointList } from '../../edge/training/contract/checkpoint.ts';
import { CapacityAnswer } from '../../edge/training/contract/capacity.ts';
import { JobList, JobRecord } from '../../edge/training/contract/job.ts';
import type { TrainerRecord } from '../../edge/training/contract/trainer.ts';
import { type Edge, postJson, problemOf, startEdge, tiny } from './harness.ts';
import {
  aDigest,
  aTrainer,
  completed,
  smallJob,
  trainingClient,
  type TrainingClient,
} from './training-client.ts';

let edge: Edge;
let base: string;
let client: TrainingClient;
beforeAll(async () => {
  edge = await startEdge();
  base = `${edge.gateway.origin}/lm-training`;
  client = trainingClient(edge.training);
});
afterAll(() => edge[Symbol.asyncDispose]());

const MIB = 2 ** 20;
const request = { category: 'LangText', dataset_path: 'corpora/lm.txt', steps: 10 };

/** A trainer with a dataset of its own, so that tests do not meet each other's. */
const trainerFor = (path: string, name: string, free_bytes: number | null, load = 0) =>
  client.announce({
    name,
    datasets: [path],
    load,
    device: { kind: 'gpu', label: `GPU of ${name}`, gpu_index: 0, total_bytes: null, free_bytes },
  });

/** Who waits for work is seen all the time. */
const isWaiting = ({ trainer_id, last_seen_at }: TrainerRecord) =>
  vi.waitUntil(async () => (await client.trainer(trainer_id)).last_seen_at > last_seen_at);

async function submit(body: object): Promise<JobRecord> {
  const answer = await postJson(`${base}/train`, body);
  expect(answer.status).toBe(202);
  return JobRecord.parse(await answer.json());
}

describe('the load balancer of the language-model training servers', () => {
  it('submits a job that the training service knows, too', async () => {
    const job = await submit(request);

    expect(job).toMatchObject({ kind: 'lm', category: 'LangText', status: 'queued' });
    expect(await client.job(job.job_id)).toMatchObject({ job_id: job.job_id });
    const shown = await fetch(`${base}/jobs/${job.job_id}`);
    expect(await shown.json()).toMatchObject({ job_id: job.job_id });
    const cancelled = await postJson(`${base}/jobs/${job.job_id}/cancel`, {});
    expect(await cancelled.json()).toMatchObject({ status: 'cancelled' });
  });

  it('shows no jobs but its own', async () => {
    const own = await submit(request);
    const other = await client.submit();

    const list = JobList.parse(await (await fetch(`${base}/jobs`)).json());
    const asked = await fetch(`${base}/jobs/${other.job_id}`);
    const cancelled = await postJson(`${base}/jobs/${other.job_id}/cancel`, {});

    expect(list.jobs.map(({ job_id }) => job_id)).toContain(own.job_id);
    expect(list.jobs.map(({ job_id }) => job_id)).not.toContain(other.job_id);
    expect((await problemOf(asked)).code).toBe('job_not_found');
    expect((await problemOf(cancelled)).code).toBe('job_not_found');
    expect((await client.job(other.job_id)).status).toBe('queued');
  });

  it('gives a job to the best of those that wait', async () => {
    const path = 'corpora/best.txt';
    const busy = await trainerFor(path, 'busy', 8192 * MIB, 3);
    const calm = await trainerFor(path, 'calm', 8192 * MIB, 0.1);
    const waiting = [client.lease(busy.trainer_id, 5), client.lease(calm.trainer_id, 5)] as const;
    await Promise.all([isWaiting(busy), isWaiting(calm)]);

    const job = await submit({ ...request, dataset_path: path });

    expect((await waiting[1])?.job.job_id).toBe(job.job_id);
    expect(await waiting[0]).toBeUndefined();
  });

  it('takes no body of another form, and no unsafe path', async () => {
    const other = await postJson(`${base}/train`, { model_type: 'dense_chronospike' });
    const unsafe = await postJson(`${base}/train`, { ...request, dataset_path: '../a.txt' });

    expect((await problemOf(other)).code).toBe('validation_failed');
    expect((await problemOf(unsafe)).code).toBe('unsafe_path');
  });
});

describe('a question about capacity', () => {
  const ask = (body: object) => postJson(`${base}/training-capacity`, body);
  const answerOf = async (body: object) => CapacityAnswer.parse(await (await ask(body)).json());

  it('is answered with the trainers in the order they would be taken, and changes nothing', async () => {
    const path = 'corpora/capacity.txt';
    await trainerFor(path, 'small', 10 * MIB);
    await trainerFor(path, 'roomy', 8192 * MIB);
    const before = JobList.parse(await (await fetch(`${base}/jobs`)).json()).total;

    const { capacity, candidates } = await answerOf({ ...request, dataset_path: path });

    expect(capacity).toMatchObject({ checked: true, fits: true, gpu_name: 'GPU of roomy' });
    const { parameters, gradients, optimiser, arena, margin, reserve } = capacity.breakdown;
    expect(capacity.required_bytes).toBe(
      parameters + gradients + optimiser + arena + margin + reserve,
    );
    expect(candidates[0]).toMatchObject({ name: 'roomy', excluded: null });
    expect(candidates.find(({ name }) => name === 'small')?.excluded).toBe(
      `its device has ${10 * MIB} bytes free, expected ${capacity.required_bytes}`,
    );
    expect(JobList.parse(await (await fetch(`${base}/jobs`)).json()).total).toBe(before);
  });

  it('says that nothing is known where no trainer could take it', async () => {
    const { capacity } = await answerOf({ ...request, dataset_path: 'corpora/nobody.txt' });

    expect(capacity).toMatchObject({ checked: false, fits: true, free_bytes: null });
  });

  it('is refused like a job would be', async () => {
    const unsafe = await ask({ ...request, dataset_path: '/etc/passwd' });
    const odd = await ask({ ...request, d_model: 130, n_heads: 4 });

    expect((await problemOf(unsafe)).code).toBe('unsafe_path');
    expect((await problemOf(odd)).code).toBe('invalid_structure');
  });
});

describe('a job that no trainer has memory for', () => {
  it('is refused with what was found, and not made smaller', async () => {
    const path = 'corpora/huge.txt';
    await trainerFor(path, 'tiny', 10 * MIB);
    const before = JobList.parse(await (await fetch(`${base}/jobs`)).json()).total;

    const answer = await postJson(`${base}/train`, { ...request, dataset_path: path });

    const problem = await problemOf(answer);
    expect(problem).toMatchObject({
      code: 'insufficient_vram',
      capacity: { checked: true, fits: false, gpu_name: 'GPU of tiny', free_bytes: 10 * MIB },
    });
    expect(JobList.parse(await (await fetch(`${base}/jobs`)).json()).total).toBe(before);
    // Another trainer that says nothing might have room.
    await trainerFor(path, 'silent', null);
    await submit({ ...request, dataset_path: path });
  });
});

describe('the balancer of the training servers refuses and cancels as the service does', () => {
  const train = (body: object) => postJson(`${base}/train`, { ...request, ...body });

  it('a structure and a base model that cannot be', async () => {
    const spec = {
      model_spec_version: 1,
      model_family: 'SpikingEvoTextLM',
      architecture: 'dense_chronospike',
      ...{ d_model: 32, n_heads: 2, num_blocks: 4, time_steps: 4, neuron_type: 'LIF' },
      vocab_size: 65,
    };
    const registration = { ...tiny, model_id: 'lm-base', model_spec: spec };
    await postJson(new URL('/models/register', edge.registry), registration);

    const odd = await train({ d_model: 130, n_heads: 4 });
    const missing = await train({ base_model: { model_id: 'nobody' } });
    const other = { base_model: { model_id: 'lm-base' }, d_model: 64 };
    const differs = await train(other);
    const asked = await postJson(`${base}/training-capacity`, { ...request, ...other });
    const unknown = await train({ dataset_path: 'datasets/none' });

    expect(await problemOf(odd)).toMatchObject({ status: 422, code: 'invalid_structure' });
    expect(await problemOf(missing)).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(await problemOf(differs)).toMatchObject({ status: 409, code: 'base_model_mismatch' });
    expect(await problemOf(asked)).toMatchObject({ status: 409, code: 'base_model_mismatch' });
    expect(await problemOf(unknown)).toMatchObject({ status: 404, code: 'dataset_not_found' });
  });

  it('a job that runs, and one that has ended', async () => {
    const dataset_path = 'corpora/cancel-lm.txt';
    const { trainer_id } = await client.announce({ name: 'lm-desk', datasets: [dataset_path] });
    const { job_id } = await submit({ ...request, dataset_path });
    const lease = (await client.lease(trainer_id))!;
    await client.beat(lease);

    const cancelling = await postJson(`${base}/jobs/${job_id}/cancel`, {});
    const other = await submit({ ...request, dataset_path });
    await client.end(lease, { outcome: 'cancelled' });
    const next = (await client.lease(trainer_id))!;
    await client.beat(next);
    await client.end(next, completed);
    const over = await postJson(`${base}/jobs/${other.job_id}/cancel`, {});

    expect([cancelling.status, over.status]).toEqual([202, 409]);
    expect(await cancelling.json()).toMatchObject({ status: 'cancelling' });
    expect((await problemOf(over)).code).toBe('job_terminal');
  });
});

describe('what a user of the training service sees', () => {
  it('of a trainer that comes again, and of the checkpoints of a job', async () => {
    const dataset_path = 'corpora/again.txt';
    const first = await client.announce({ name: 'again', datasets: [dataset_path] });
    const second = await postJson(new URL('/trainers', edge.training), {
      ...aTrainer,
      name: 'again',
      datasets: [dataset_path],
      trainer_id: first.trainer_id,
    });
    const { job_id } = await client.submit({ dataset_path });
    const lease = (await client.lease(first.trainer_id))!;
    const files = [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }];
    const { body } = await client.commit(lease, 7, { files });
    const listed = await fetch(new URL(`/jobs/${job_id}/checkpoints`, edge.training));

    expect(second.status).toBe(200);
    expect(CheckpointList.parse(await listed.json())).toEqual({ checkpoints: [body], total: 1 });
  });

  it('of a job that no trainer has memory for', async () => {
    const dataset_path = 'corpora/huge-train.txt';
    await trainerFor(dataset_path, 'tiny-train', 10 * MIB);

    const answer = await postJson(new URL('/train', edge.training), {
      ...smallJob,
      dataset_path,
    });

    expect(await problemOf(answer)).toMatchObject({ status: 422, code: 'insufficient_vram' });
  });
});
