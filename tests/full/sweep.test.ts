import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SweepResults } from '../../compute/sweep/results.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { type Ended, startSpikegrid } from '../compute/spikegrid-process.ts';
import { jobsOfSweep, partsOf, writeSweep } from '../compute/sweep-jobs.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../compute/training-platform.ts';

const RUNS = 32;
/** How long a trainer or a driver lives. A lease passes to another trainer ten seconds after the last heartbeat. */
const TRAINER_LIVES_MS = [8_000, 30_000] as const;
const DRIVER_LIVES_MS = [3_000, 20_000] as const;

let platform: TrainingPlatform;
beforeAll(async () => {
  platform = await startTrainingPlatform();
});
afterAll(() => platform.end());

/** Numbers in [0, 1) from a seed, so that a failure can be looked at again (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Lives = readonly [least: number, most: number];

/** Starts a trainer of that name again and again; each is killed after a while, in the middle of whatever it does. */
async function killTrainers(name: string, lifeMs: () => number, isOver: AbortSignal) {
  let kills = 0;
  while (!isOver.aborted) {
    const trainer = platform.trainer(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, lifeMs());
    isOver.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    if (isOver.aborted) return kills;
    trainer.signalAll('SIGKILL');
    kills++;
  }
  return kills;
}

/** Gives the same command again and again, until one is not killed before its end. */
async function killDrivers(command: readonly string[], lifeMs: () => number) {
  for (let kills = 0; ; kills++) {
    const driver = startSpikegrid(command);
    const timer = setTimeout(() => driver.process.kill('SIGKILL'), lifeMs());
    const ended: Ended = await driver.ended;
    clearTimeout(timer);
    if (ended.signal !== 'SIGKILL') return { ended, kills };
  }
}

it(
  'ends each of 32 runs once on two trainers, which are killed at random as the driver is',
  { timeout: 20 * 60_000 },
  async () => {
    const seed = Number(process.env['SPIKEGRID_SEED'] ?? Date.now() % 1e6);
    const random = randomFrom(seed);
    const within =
      ([least, most]: Lives) =>
      () =>
        least + random() * (most - least);
    const path = writeSweep(platform.folder, {
      name: 'killed',
      dataset: 'data/moby-dick.txt',
      runs: RUNS,
      parallel: 4,
      budget: { steps: 60 },
      fixed: {
        ...{ d_model: 32, n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 32, batch_size: 8 },
        ...{ validate_every: 60, checkpoint_every: 20 },
      },
    });
    const over = new AbortController();
    const trainers = ['one', 'two'].map((name) =>
      killTrainers(name, within(TRAINER_LIVES_MS), over.signal),
    );

    const command = ['sweep', path, '--gateway', platform.gateway];
    const { ended, kills: driverKills } = await killDrivers(command, within(DRIVER_LIVES_MS));
    over.abort();
    const trainerKills = (await Promise.all(trainers)).reduce((sum, kills) => sum + kills, 0);

    const what = `seed ${seed}, ${trainerKills} trainers and ${driverKills} drivers killed`;
    expect(ended.code, `${what}: ${ended.stderr}`).toBe(0);
    expect([trainerKills > 0, driverKills > 0], what).toEqual([true, true]);

    const jobs = await jobsOfSweep(platform.gateway, 'killed');
    expect(partsOf(jobs).toSorted(), what).toEqual(
      Array.from({ length: RUNS }, (_, run) => `run ${run + 1} rung 1`).toSorted(),
    );
    const attempts = jobs.map(({ job }) => job.attempts);
    const completed = attempts.map(
      (each) => each.filter(({ outcome }) => outcome === 'completed').length,
    );
    expect(jobs.map(({ job }) => job.status)).toEqual(Array(RUNS).fill('succeeded'));
    expect(completed, what).toEqual(Array(RUNS).fill(1));

    const results = JSON.parse(
      readFileSync(join(platform.folder, 'killed.sweep/results.json'), 'utf8'),
    ) as SweepResults;
    expect(results.runs.map(({ outcome }) => outcome)).toEqual(Array(RUNS).fill('finished'));
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    const best = await registry.getModel({ params: { id: 'killed' } });
    expect(best.versions).toHaveLength(1);
    expect(best).toMatchObject({ status: 'READY', tags: { run: String(results.best) } });

    const lost = attempts.flat().filter(({ outcome }) => outcome === 'lost').length;
    console.info(`${RUNS} runs ended once: ${what}, ${lost} attempts lost`);
  },
);
