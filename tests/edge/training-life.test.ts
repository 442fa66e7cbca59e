import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from './harness.ts';
import { aDigest, completed, pointAt, progressAt, trainingClient } from './training-client.ts';

let edge: Edge;
let client: ReturnType<typeof trainingClient>;
beforeAll(async () => {
  edge = await startEdge();
  client = trainingClient(new URL('/training', edge.gateway));
});
afterAll(() => edge[Symbol.asyncDispose]());

describe('a job', () => {
  it('goes from queued to succeeded, and reports every step', async () => {
    const queued = await client.submit({ model_name: 'whale', metadata: { note: 'first' } });
    expect(queued).toMatchObject({
      status: 'queued',
      attempt: 0,
      status_reason: 'waits for a trainer that has corpora/a.txt; no trainer is connected',
    });

    const { trainer_id } = await client.announce();
    const lease = (await client.lease(trainer_id))!;
    expect(lease).toMatchObject({
      fencing_token: 1,
      attempt: 1,
      seat: 0,
      checkpoint: null,
      request: { config: { steps: 100, batch_size: 8 } },
      job: { job_id: queued.job_id, status: 'validating', output_name: 'whale' },
    });
    await client.beat(lease, { phase: 'validating' });
    expect((await client.job(queued.job_id)).status).toBe('validating');
    await client.beat(lease, {
      progress: progressAt(50),
      points: [pointAt(25), pointAt(50)],
      messages: [{ level: 'info', message: 'half of it' }],
      effective: { learning_rate: 1e-4 },
    });
    const running = await client.job(queued.job_id);
    const saved = await client.commit(lease, 50, {
      files: [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }],
    });
    const again = await client.commit(lease, 50, {
      files: [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }],
    });
    const done = await client.end(lease, completed);

    expect(running).toMatchObject({
      status: 'running',
      progress: { step: 50 },
      metrics: { train_loss: 4.95, valid_loss: null, spike_rate: 0.1 },
      attempts: [{ attempt: 1, trainer_id, last_step: 50, outcome: null }],
      effective: { learning_rate: 1e-4 },
    });
    expect([saved.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(saved.body);
    expect(done).toMatchObject({
      status: 'succeeded',
      model: completed.outcome === 'completed' ? completed.model : null,
      verdict: { floor: { name: 'bigram' }, reached: 2.1, is_beaten: true },
      checkpoints: [{ id: saved.body.id, step: 50 }],
      attempts: [{ outcome: 'completed' }],
    });
    expect(await client.series(queued.job_id)).toEqual([pointAt(25), pointAt(50)]);
    expect(
      (await client.events(queued.job_id)).map(({ type, message }) => `${type} ${message}`),
    ).toEqual([
      'job.status queued',
      'job.lease worker-1 takes the job, from step 0',
      'job.status validating: worker-1 validates its dataset',
      'job.status running: worker-1 trains it',
      'job.message half of it',
      'job.checkpoint checkpoint at step 50',
      'job.status succeeded',
    ]);
    expect(await client.trainer(trainer_id)).toMatchObject({
      status: 'idle',
      succeeded: 1,
      jobs: [],
    });
  });
});
