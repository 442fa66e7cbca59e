import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Edge, startEdge } from './harness.ts';
import { aDigest, progressAt, trainingClient, type TrainingClient } from './training-client.ts';

let edge: Edge;
let client: TrainingClient;
beforeAll(async () => {
  edge = await startEdge();
  client = trainingClient(edge.training);
});
afterAll(() => edge[Symbol.asyncDispose]());

const files = [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }];

async function running(dataset: string, request: { readonly max_recoveries?: number } = {}) {
  const dataset_path = `corpora/${dataset}.txt`;
  const { job_id } = await client.submit({ ...request, dataset_path });
  const { trainer_id } = await client.announce({ name: dataset, datasets: [dataset_path] });
  const lease = (await client.lease(trainer_id))!;
  await client.beat(lease, { progress: progressAt(30) });
  return { job_id, trainer_id, lease };
}

/** These wait for real time, so they run concurrently. */
describe.concurrent('as time passes', () => {
  it('takes a job from a trainer that is silent for 10 s, and goes on from its checkpoint', async ({
    expect,
  }) => {
    const { job_id, trainer_id, lease } = await running('silent');
    await client.commit(lease, 20, { files });
    const since = Date.now();

    const another = await client.announce({ name: 'heir', datasets: ['corpora/silent.txt'] });
    const asked = await client.lease(another.trainer_id, 25);

    expect(Date.now() - since).toBeGreaterThan(8000);
    expect(asked).toMatchObject({
      fencing_token: 2,
      checkpoint: { step: 20 },
      job: { job_id, status: 'recovering', attempts: [{ outcome: 'lost' }, { outcome: null }] },
    });
    await expect(client.beat(lease)).rejects.toMatchObject({ code: 'stale_lease' });
    expect(await client.trainer(trainer_id)).toMatchObject({ status: 'lost', failed: 1 });
    await client.cancel(job_id);
  }, 60_000);

  it('fails a job that may not recover once its trainer is lost', async ({ expect }) => {
    const { job_id } = await running('fragile', { max_recoveries: 0 });

    await expect
      .poll(() => client.job(job_id), { timeout: 25_000, interval: 500 })
      .toMatchObject({ status: 'failed', error: { code: 'worker_lost', retryable: true } });
  }, 60_000);

  it('costs a job nothing to be handed to a trainer that is gone', async ({ expect }) => {
    const datasets = ['corpora/nobody.txt'];
    const gone = await client.announce({ name: 'gone', datasets });
    const request = { dataset_path: 'corpora/nobody.txt', max_recoveries: 0 };
    const { job_id } = await client.submit(request);
    await client.lease(gone.trainer_id);
    const since = Date.now();

    const here = await client.announce({ name: 'here', datasets });
    const lease = await client.lease(here.trainer_id, 25);

    expect(Date.now() - since).toBeLessThan(10_000);
    expect(lease).toMatchObject({ attempt: 2, job: { job_id, status: 'validating' } });
    await client.cancel(job_id);
  }, 60_000);

  it('cancels a running job after its last checkpoint', async ({ expect }) => {
    const { job_id, lease } = await running('graceful');

    const asked = await client.cancel(job_id);
    const again = await client.cancel(job_id);
    const told = await client.beat(lease, { progress: progressAt(31) });
    await client.commit(lease, 31, { files });
    const done = await client.end(lease, { outcome: 'cancelled' });
    const late = await client.cancel(job_id);

    expect([asked.status, again.status, late.status]).toEqual([202, 202, 200]);
    expect(told).toMatchObject({ cancel: 'checkpoint' });
    expect(Date.parse(told.cancel_by!) - Date.now()).toBeLessThan(30_000);
    expect(done).toMatchObject({ status: 'cancelled', checkpoints: [{ step: 31 }] });
  });

  it('forces a cancellation after 30 s, however lively the trainer is', async ({ expect }) => {
    const { job_id, lease } = await running('stubborn');
    await client.cancel(job_id);
    const since = Date.now();

    let answer = await client.beat(lease);
    while (answer.cancel === 'checkpoint') {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      answer = await client.beat(lease);
    }

    expect(Date.now() - since).toBeGreaterThan(28_000);
    expect(answer.cancel).toBe('stop');
    expect(await client.job(job_id)).toMatchObject({
      status: 'cancelled',
      status_reason: 'its trainer left no last checkpoint within 30 s',
      attempts: [{ outcome: 'cancelled' }],
    });
    await expect(client.commit(lease, 50, { files })).rejects.toMatchObject({
      code: 'stale_lease',
    });
  }, 60_000);
});
