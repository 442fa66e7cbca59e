import type { Env } from '../env.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { gaugeSample, queueDepth, type Sample } from '../monitoring/sample.ts';
import { JobStatus } from './contract/job.ts';
import { TrainerRecord } from './contract/trainer.ts';
import type { Jobs } from './jobs.ts';
import type { Trainers } from './trainers.ts';

interface Counts {
  readonly byStatus: Readonly<Partial<Record<JobStatus, number>>>;
  /** Seats that wait for a trainer. */
  readonly waiting: number;
  readonly trainers: readonly Pick<TrainerRecord, 'status'>[];
}

/** Reports to Monitoring how many jobs and trainers there are in each state. */
export class TrainingMetrics {
  readonly #env: Env;
  readonly #jobs: Jobs;
  readonly #trainers: Trainers;
  #isScheduled = false;

  constructor(env: Env, jobs: Jobs, trainers: Trainers) {
    this.#env = env;
    this.#jobs = jobs;
    this.#trainers = trainers;
  }

  /** Schedules one report for all changes of the next METRICS_FLUSH_MS. */
  schedule(ctx: Pick<DurableObjectState, 'waitUntil'>): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    ctx.waitUntil(this.#send());
  }

  /** A report that fails is made up for by the next change. */
  async #send(): Promise<void> {
    await scheduler.wait(this.#env.METRICS_FLUSH_MS);
    this.#isScheduled = false;
    const samples = samplesOf({
      byStatus: this.#jobs.store.countByStatus(),
      waiting: this.#jobs.store.queueDepth(),
      trainers: this.#trainers.all(Date.now()),
    });
    await monitoringOf(this.#env)
      .record(samples)
      .catch(() => {});
  }
}

function samplesOf({ byStatus, waiting, trainers }: Counts): readonly Sample[] {
  const service = 'training';
  const trainersByStatus = Map.groupBy(trainers, ({ status }) => status);
  const jobs = { service, name: 'jobs', help: 'Jobs in each state.' };
  const known = { service, name: 'trainers', help: 'Trainers in each state.' };
  return [
    queueDepth(service, 'jobs', waiting),
    ...JobStatus.options.map((status) => gaugeSample(jobs, { status }, byStatus[status] ?? 0)),
    ...TrainerRecord.shape.status.options.map((status) =>
      gaugeSample(known, { status }, trainersByStatus.get(status)?.length ?? 0),
    ),
  ];
}
