import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SweepResults } from '../../compute/sweep/results.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { type Running, runSpikegrid, startSpikegrid } from './spikegrid-process.ts';
import { jobsOfSweep, partsOf, writeSweep } from './sweep-jobs.ts';
import { startTrainingPlatform, type TrainingPlatform } from './training-platform.ts';

let platform: TrainingPlatform;
beforeAll(async () => {
  platform = await startTrainingPlatform();
  platform.trainer('one');
});
afterAll(async () => {
  // One that a failed test left behind would wait for its platform without end.
  for (const driver of drivers) driver.process.kill('SIGKILL');
  await platform.end();
});

const drivers: Running[] = [];
function startSweep(path: string): Running {
  const driver = startSpikegrid(['sweep', path, ...at()]);
  drivers.push(driver);
  return driver;
}

const at = () => ['--gateway', platform.gateway];
const resultsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as SweepResults;

describe('spikegrid sweep', () => {
  it('halves, goes on after its driver was killed, and registers the best run with its lineage', async () => {
    const path = writeSweep(platform.folder, {
      name: 'halved',
      dataset: 'data/moby-dick.txt',
      method: 'asha',
      asha: { first_steps: 4, eta: 2 },
      budget: { steps: 8 },
      fixed: { d_model: 16, n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 16, batch_size: 4 },
    });
    const folder = join(platform.folder, 'halved.sweep');
    const killed = startSweep(path);
    await expect
      .poll(() => killed.output(), { timeout: 60_000 })
      .toMatch(/run \d of 4, rung 1 succeeded/);
    killed.process.kill('SIGKILL');
    await killed.ended;
    // As if it had been killed while it wrote a line.
    writeFileSync(join(folder, 'journal.jsonl'), '{"kind":"beg', { flag: 'a' });

    const { code, stdout, stderr } = await runSpikegrid('sweep', path, '--resume', ...at());

    expect(code, stderr).toBe(0);
    expect(stderr).toContain('resumed');
    const jobs = await jobsOfSweep(platform.gateway, 'halved');
    const parts = partsOf(jobs);
    expect(new Set(parts).size).toBe(parts.length);
    expect(parts.filter((part) => part.endsWith('rung 1'))).toHaveLength(4);
    // The best at the time go on: as the ranking moves, that may be more than half of all.
    const promoted = parts.filter((part) => part.endsWith('rung 2')).length;
    expect(promoted).toBeGreaterThanOrEqual(2);
    expect(parts).toHaveLength(4 + promoted);
    expect(jobs.map(({ job }) => job.status)).toEqual(parts.map(() => 'succeeded'));

    const results = resultsIn(folder);
    const best = results.runs[0]!;
    expect(results.best).toBe(best.run);
    expect(stdout.split('\n')).toHaveLength(6);
    expect(stdout).toMatch(new RegExp(`^${best.run}\\s+\\S+ \\*`, 'm'));
    const outcomes = results.runs.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'finished')).toHaveLength(promoted);
    expect(outcomes.filter((outcome) => outcome === 'stopped')).toHaveLength(4 - promoted);
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('learning_rate');
    expect(page).toContain('<svg');

    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    const model = await registry.getModel({ params: { id: 'halved' } });
    expect(model).toMatchObject({
      status: 'READY',
      parent_model_id: best.model!.model_id,
      parent_version: best.model!.version,
      tags: { sweep: results.id, run: String(best.run) },
    });
    const lineage = await registry.getModel({ params: { id: best.model!.model_id } });
    expect(lineage.versions.map(({ version }) => version)).toContain('1.0.0');
    expect(model.dataset_digest).toBe(lineage.dataset_digest);

    const again = await runSpikegrid('sweep', path, ...at());
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toBe(stdout);
    expect(await jobsOfSweep(platform.gateway, 'halved')).toHaveLength(parts.length);
  });

  it('ends with 1 where no run succeeds, and with 2 where it is stopped', async () => {
    const failing = writeSweep(platform.folder, {
      name: 'failing',
      runs: 2,
      search: { n_heads: [3, 5] },
      fixed: { d_model: 16 },
    });
    const failed = await runSpikegrid('sweep', failing, ...at());

    const endless = writeSweep(platform.folder, { name: 'endless', budget: { steps: 1_000_000 } });
    const running = startSweep(endless);
    await expect
      .poll(async () => (await jobsOfSweep(platform.gateway, 'endless')).length, {
        timeout: 20_000,
      })
      .toBe(2);
    const twice = await runSpikegrid('sweep', endless, ...at());
    running.process.kill('SIGINT');
    const stopped = await running.ended;
    for (const { job } of await jobsOfSweep(platform.gateway, 'endless')) {
      await platform.cancel(job.job_id);
    }

    expect([failed.code, failed.stdout.match(/failed/g)?.length], failed.stderr).toEqual([1, 2]);
    expect(failed.stderr).toMatch(/no run has succeeded; run 1: .*divisor of d_model 16, got [35]/);
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('drives the sweep in')]);
    expect([stopped.code, stopped.stderr]).toEqual([
      2,
      expect.stringContaining('2 jobs under way'),
    ]);
  });
});
