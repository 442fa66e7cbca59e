import { describe, expect, it } from 'vitest';
import { Dashboard } from '../../edge/monitoring/contract/dashboard.ts';
import { startEdge } from './harness.ts';
import { trainingClient } from './training-client.ts';

const SOON = { timeout: 15_000, interval: 100 };

describe('the metrics of training', () => {
  it('count jobs and trainers in each state, and long polls that wait', async () => {
    await using edge = await startEdge({ vars: { METRICS_FLUSH_MS: 50 } });
    const client = trainingClient(edge.training);
    const { trainer_id } = await client.announce();
    await client.submit();
    await client.submit({ replicas: 3, dataset_path: 'corpora/b.txt' });
    const cancelled = await client.submit();
    await client.cancel(cancelled.job_id);
    await client.beat((await client.lease(trainer_id))!);

    const text = async () => (await fetch(new URL('/metrics', edge.monitoring))).text();
    const line = async (name: string, labels: string) => {
      const named = async () => (await text()).split('\n').filter((one) => one.startsWith(name));
      await expect.poll(named, SOON).toContainEqual(expect.stringMatching(new RegExp(labels)));
    };

    await line('jobs', 'status="running".* 1$');
    await line('jobs', 'status="cancelled".* 1$');
    await line('trainers', 'status="busy".* 1$');
    // The job with three seats.
    await line('queue_depth', 'queue="jobs".* 3$');
    const dashboard = await fetch(new URL('/dashboard', edge.monitoring));
    expect(Dashboard.parse(await dashboard.json()).jobs).toEqual({
      by_status: { running: 1, queued: 1, cancelled: 1 },
    });
  });
});
