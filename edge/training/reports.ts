import type { Env } from '../env.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { gaugesOf } from './gauges.ts';
import type { Jobs } from './jobs.ts';
import type { Trainers } from './trainers.ts';

/** Tells monitoring how many jobs and trainers there are, once for all changes of a while. */
export class TrainingReports {
  readonly #env: Env;
  readonly #jobs: Jobs;
  readonly #trainers: Trainers;
  #isOnItsWay = false;

  constructor(env: Env, jobs: Jobs, trainers: Trainers) {
    this.#env = env;
    this.#jobs = jobs;
    this.#trainers = trainers;
  }

  soon(ctx: Pick<DurableObjectState, 'waitUntil'>): void {
    if (this.#isOnItsWay) return;
    this.#isOnItsWay = true;
    ctx.waitUntil(this.#send());
  }

  /** What is not told now, the next change tells. */
  async #send(): Promise<void> {
    await scheduler.wait(this.#env.METRICS_FLUSH_MS);
    this.#isOnItsWay = false;
    const samples = gaugesOf({
      byStatus: this.#jobs.store.countByStatus(),
      waiting: this.#jobs.store.queueDepth(),
      trainers: this.#trainers.all(Date.now()),
    });
    await monitoringOf(this.#env)
      .record(samples)
      .catch(() => {});
  }
}
