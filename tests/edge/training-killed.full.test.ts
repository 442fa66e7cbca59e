import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEdge } from './harness.ts';
import { aDigest, completed, pointAt, progressAt, trainingClient } from './training-client.ts';

const files = [{ filename: 'a', digest: aDigest, size_bytes: 0, parts: [] }];

describe('the training service that is killed', () => {
  it('has all that it acknowledged, and its trainers go on with their leases', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-training-'));
    try {
      const killed = await startEdge({ stateDir });
      const one = trainingClient(killed.training);
      const { trainer_id } = await one.announce();
      const { job_id } = await one.submit();
      const lease = (await one.lease(trainer_id))!;
      await one.beat(lease, { progress: progressAt(30), points: [pointAt(30)] });
      await one.commit(lease, 25, { files });
      const queued = await one.submit({ model_name: 'waiting' });
      const before = { job: await one.job(job_id), events: await one.events(job_id) };

      // This ends workerd with SIGKILL.
      await killed[Symbol.asyncDispose]();
      await using edge = await startEdge({ stateDir });
      const two = trainingClient(edge.training);

      // Its lease is given new time where the restart took long.
      expect(await two.job(job_id)).toEqual({ ...before.job, updated_at: expect.any(String) });
      expect(await two.events(job_id)).toEqual(before.events);
      expect(await two.series(job_id)).toEqual([pointAt(30)]);
      expect(await two.beat(lease, { progress: progressAt(31) })).toMatchObject({ cancel: null });
      expect(await two.end(lease, completed)).toMatchObject({ status: 'succeeded' });
      expect(await two.lease(trainer_id)).toMatchObject({ job: { job_id: queued.job_id } });
    } finally {
      rmSync(stateDir, { recursive: true });
    }
  }, 60_000);

  it('finds a lease that lapsed meanwhile without anybody asking', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-training-'));
    try {
      const killed = await startEdge({ stateDir });
      const one = trainingClient(killed.training);
      const { trainer_id } = await one.announce();
      const { job_id } = await one.submit({ max_recoveries: 0 });
      const lease = (await one.lease(trainer_id))!;
      await one.beat(lease);
      await killed[Symbol.asyncDispose]();
      await using edge = await startEdge({ stateDir });
      const two = trainingClient(edge.training);

      await expect
        .poll(() => two.job(job_id), { timeout: 30_000, interval: 500 })
        .toMatchObject({ status: 'failed', error: { code: 'worker_lost' } });
    } finally {
      rmSync(stateDir, { recursive: true });
    }
  }, 60_000);
});
