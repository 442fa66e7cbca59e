import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  isOver,
  startTrainingPlatform,
  stopTrainers,
  type TrainingPlatform,
} from './training-platform.ts';

let platform: TrainingPlatform;
beforeAll(async () => {
  platform = await startTrainingPlatform();
});
afterEach(() => stopTrainers());
afterAll(() => platform.end());

const STEPS = 400;
const config = { steps: STEPS, checkpoint_every: 100, validate_every: STEPS };

describe('a job with two replicas', () => {
  it('is trained by both, in rounds whose deltas travel in 8 bits', async () => {
    platform.trainer('first');
    platform.trainer('second');

    const job = await platform.submit({ config, replicas: 2, distributed: { local_steps: 50 } });
    const ended = await platform.until(job.job_id, isOver, 90_000);

    expect(ended.error).toBeNull();
    expect(ended.status).toBe('succeeded');
    expect(new Set(ended.attempts.map(({ seat }) => seat))).toEqual(new Set([0, 1]));
    expect(ended.progress.step).toBe(STEPS);
    const { bytes_sent = 0, bytes_float32 = 0 } = ended.rounds ?? {};
    expect(bytes_float32 / bytes_sent).toBeGreaterThan(3.5);
    expect(ended.checkpoints[0]?.metrics).toMatchObject({ tokens: STEPS * 8 * 32 });
  });

  it('goes on when a member leaves and another joins', async () => {
    const names = ['ishmael', 'queequeg', 'starbuck'];
    const crew = names.map((name) => platform.trainer(name));
    const idle = names.map((name) => `${name} idle`);
    await vi.waitFor(async () => expect(await platform.trainers()).toEqual(idle), {
      timeout: 30_000,
    });
    const job = await platform.submit({
      config: { ...config, steps: 1200, validate_every: 1200 },
      replicas: 2,
      distributed: { local_steps: 50, straggler_timeout_s: 5 },
    });
    const { attempts } = await platform.until(job.job_id, ({ rounds }) => (rounds?.round ?? 0) > 1);

    // The one without a seat waits for one; which that is is open.
    const leaver = crew.find(({ name }) => name === attempts[0]?.trainer_name)!;
    leaver.process.kill('SIGTERM');
    await leaver.ended();
    const ended = await platform.until(job.job_id, isOver, 110_000);

    expect(ended.error).toBeNull();
    expect(ended.status).toBe('succeeded');
    expect(new Set(ended.attempts.map(({ trainer_name }) => trainer_name))).toEqual(new Set(names));
    expect(ended.metrics.valid_loss).toBeLessThan(2.6);
  });
});
