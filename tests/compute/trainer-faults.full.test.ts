import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type GateProxy, startGateProxy } from './gate-proxy.ts';
import { isOver, startTrainingPlatform, type TrainingPlatform } from './training-platform.ts';

let platform: TrainingPlatform;
beforeAll(async () => {
  platform = await startTrainingPlatform();
});
afterAll(() => platform.end());

/** Most of a test is waiting for a lease to end: they run side by side, each in a region of its own. */
const together = { timeout: 240_000 };

/** A job that ends soon where nothing holds it up. */
const paced = { config: { steps: 200, checkpoint_every: 50, validate_every: 200 } };
/** One that is interrupted wherever it is, and still ends by itself. */
const long = { config: { steps: 800, checkpoint_every: 50, validate_every: 800 } };
/** One that ends only where it is made to. */
const endless = { config: { steps: 1_000_000, checkpoint_every: 50, validate_every: 1_000_000 } };

const hasCheckpoint = ({ checkpoints }: { checkpoints: readonly unknown[] }) =>
  checkpoints.length > 0;

/**
 * A way on which a trainer gets one checkpoint through and is held up at the second, however fast it
 * is: it can be met in the middle of its job, ahead of what it has saved.
 */
async function holdAtSecondCheckpoint(): Promise<GateProxy> {
  const way = await startGateProxy(platform.gateway);
  way.cutAfterOne(/\/checkpoints$/);
  return way;
}

/** The weights and the optimiser's state; `training_state.json` tells how long the run took. */
const digestsOf = async (job: Parameters<TrainingPlatform['resultOf']>[0]) => {
  const files = await platform.resultOf(job);
  return [files['model.safetensors'], files['optimizer.safetensors']];
};

describe.concurrent('a trainer that is lost', together, () => {
  it('killed in the middle, is followed by another that ends with the same digits', async () => {
    await using way = await holdAtSecondCheckpoint();
    await using region = platform.region('killed');
    const killed = region.trainer('killed', way.address);
    const job = await region.submit({ ...paced, model_name: 'interrupted' });
    await vi.waitUntil(() => way.refused() > 0, { timeout: 90_000 });

    killed.signalAll('SIGKILL');
    region.trainer('heir');
    const ended = await platform.until(job.job_id, isOver, 90_000);

    expect(ended).toMatchObject({ status: 'succeeded', progress: { step: 200 } });
    expect(ended.attempts).toMatchObject([
      { trainer_name: 'killed', outcome: 'lost', from_step: 0 },
      { trainer_name: 'heir', outcome: 'completed', from_step: 50 },
    ]);
    const undisturbed = await region.submit({ ...paced, model_name: 'undisturbed' });
    const same = await platform.until(undisturbed.job_id, isOver);
    expect(await digestsOf(ended)).toEqual(await digestsOf(same));
  });

  it('not itself, only the process of its job, takes the job up again', async () => {
    await using region = platform.region('bereaved');
    const bereaved = region.trainer('bereaved');
    const job = await region.submit({ ...long, max_recoveries: 1 });
    await platform.until(job.job_id, hasCheckpoint);

    // Wherever it is just then, mostly in the middle of a step.
    process.kill(bereaved.jobPid()!, 'SIGKILL');
    const ended = await platform.until(job.job_id, isOver, 90_000);

    expect(ended.status).toBe('succeeded');
    expect(ended.attempts[1]?.from_step).toBeGreaterThanOrEqual(50);
    expect(ended.attempts.map(({ trainer_name, outcome }) => [trainer_name, outcome])).toEqual([
      ['bereaved', 'failed'],
      ['bereaved', 'completed'],
    ]);
  });

  it('frozen and thawed, harms nothing and takes other work', async () => {
    await using way = await holdAtSecondCheckpoint();
    await using region = platform.region('frozen');
    const frozen = region.trainer('frozen', way.address);
    const job = await region.submit(paced);
    await vi.waitUntil(() => way.refused() > 0, { timeout: 90_000 });

    frozen.signalAll('SIGSTOP');
    region.trainer('substitute');
    const taken = await platform.until(job.job_id, ({ attempts }) => attempts.length === 2, 40_000);
    // Its delayed request reaches the platform only now, under a lease that belongs to another trainer.
    way.cut(undefined);
    frozen.signalAll('SIGCONT');
    const ended = await platform.until(job.job_id, isOver);

    expect(taken.attempts[0]?.outcome).toBe('lost');
    expect(ended.status).toBe('succeeded');
    expect(ended.attempts.map(({ trainer_name }) => trainer_name)).toEqual([
      'frozen',
      'substitute',
    ]);
    await vi.waitFor(async () => expect(await platform.trainers()).toContain('frozen idle'), {
      timeout: 20_000,
    });
    const trainer_id = ended.attempts[0]?.trainer_id;
    const next = await region.submit({
      config: { steps: 10 },
      requirements: { trainer_id },
    });
    expect(await platform.until(next.job_id, isOver)).toMatchObject({ status: 'succeeded' });
  });

  it('cut off for a while, goes on with the lease it has', async () => {
    await using way = await holdAtSecondCheckpoint();
    await using region = platform.region('cut-off');
    region.trainer('cut-off', way.address);
    const job = await region.submit(paced);
    await vi.waitUntil(() => way.refused() > 0, { timeout: 90_000 });

    way.cut(/./);
    const before = way.refused();
    await vi.waitUntil(() => way.refused() >= before + 3, { timeout: 30_000 });
    way.cut(undefined);
    const ended = await platform.until(job.job_id, isOver);

    expect(ended.status).toBe('succeeded');
    expect(ended.attempts).toHaveLength(1);
  });
});

describe.concurrent('a trainer that is stopped', together, () => {
  it('writes a checkpoint, hands the job back and ends with 0', async () => {
    await using region = platform.region('stopped');
    const stopped = region.trainer('stopped');
    const job = await region.submit(long);
    await platform.until(job.job_id, hasCheckpoint);

    stopped.process.kill('SIGTERM');
    const code = await stopped.ended();
    const waiting = await platform.job(job.job_id);
    region.trainer('next');
    const ended = await platform.until(job.job_id, isOver, 90_000);

    expect(code, stopped.output()).toBe(0);
    expect(waiting.attempts.at(-1)).toMatchObject({ trainer_name: 'stopped', outcome: 'released' });
    expect(waiting.checkpoints[0]?.step).toBe(waiting.progress.step);
    expect(await platform.trainers()).not.toContain('stopped idle');
    expect(ended).toMatchObject({ error: null, status: 'succeeded' });
    expect(ended.attempts.at(-1)).toMatchObject({
      trainer_name: 'next',
      from_step: waiting.progress.step,
    });
  });

  it('leaves no process behind when it is killed', async () => {
    await using region = platform.region('orphan');
    const killed = region.trainer('orphan-maker');
    const job = await region.submit(endless);
    await platform.until(job.job_id, hasCheckpoint);
    const child = killed.jobPid()!;

    killed.process.kill('SIGKILL');

    await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'), {
      timeout: 10_000,
    });
    await platform.cancel(job.job_id);
  });
});

describe.concurrent('the end of a job', together, () => {
  it('waits for a registry that does not answer', async () => {
    await using way = await startGateProxy(platform.gateway);
    await using region = platform.region('patient');
    region.trainer('patient', way.address);
    way.cut(/^\/registry\//);
    const job = await region.submit({ model_name: 'delayed', config: { steps: 50 } });

    await vi.waitUntil(() => way.refused() > 2, { timeout: 90_000 });
    const waiting = await platform.job(job.job_id);
    way.cut(undefined);
    const ended = await platform.until(job.job_id, isOver);

    expect(waiting.status).toBe('running');
    expect(waiting.checkpoints[0]?.step).toBe(50);
    expect(ended).toMatchObject({ status: 'succeeded', model: { model_id: 'delayed' } });
    expect(ended.attempts).toHaveLength(1);
  });

  it('is registered once, though the trainer dies after the version was made', async () => {
    await using way = await startGateProxy(platform.gateway);
    await using region = platform.region('once');
    const dying = region.trainer('dying', way.address);
    way.cut(/^\/registry\/models\/[^/]+\/upload/);
    const job = await region.submit({ model_name: 'only-once', config: { steps: 50 } });
    await vi.waitUntil(() => way.refused() > 0, { timeout: 90_000 });

    dying.signalAll('SIGKILL');
    region.trainer('finisher');
    const ended = await platform.until(job.job_id, isOver, 60_000);

    expect(ended.model).toMatchObject({ model_id: 'only-once', version: '1.0.0' });
  });
});

it.concurrent('gives a job that two trainers ask for to one of them', together, async () => {
  await using region = platform.region('two');
  region.trainer('one');
  region.trainer('other');
  await vi.waitFor(
    async () =>
      expect(await platform.trainers()).toEqual(expect.arrayContaining(['one idle', 'other idle'])),
    { timeout: 20_000 },
  );

  const jobs = await Promise.all([1, 2].map(() => region.submit({ config: { steps: 30 } })));
  const ended = await Promise.all(jobs.map(({ job_id }) => platform.until(job_id, isOver)));

  expect(ended.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  expect(ended.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
});
