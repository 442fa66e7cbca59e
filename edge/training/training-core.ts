import type { Env } from '../env.ts';
import { Outbox } from '../events/outbox.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { TrainingAccess } from './access.ts';
import { JobWatch } from './job-watch.ts';
import { Jobs } from './jobs.ts';
import { LeaseScheduler } from './lease-scheduler.ts';
import { TrainingMetrics } from './metrics.ts';
import { TRAINING_MIGRATIONS } from './schema.ts';
import { TrainerReports } from './trainer-reports.ts';
import { Trainers } from './trainers.ts';

/** The delay before an alarm that failed is tried again. */
const ALARM_RETRY_MS = 5_000;

/** The parts of the Training object, and the work that time and every change bring about. */
export abstract class TrainingCore extends StoredObject {
  protected readonly jobs: Jobs;
  protected readonly fleet: Trainers;
  protected readonly access: TrainingAccess;
  protected readonly scheduler: LeaseScheduler;
  protected readonly reports: TrainerReports;
  protected readonly watch: JobWatch;
  readonly #metrics: TrainingMetrics;
  #armedFor = Infinity;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, TRAINING_MIGRATIONS, { mayHold: { jobs: 0 } });
    this.jobs = new Jobs(ctx.storage, new Outbox(ctx.storage.sql, env), {
      changed: (jobId) => this.watch.wake(jobId),
      ended: (trainerId, outcome, now) => this.fleet.noteEnd(trainerId, outcome, now),
    });
    this.fleet = new Trainers(ctx.storage.sql, {
      held: () => this.jobs.attempts.held(),
      isWaiting: (trainerId) => this.scheduler.isWaiting(trainerId),
    });
    this.access = new TrainingAccess(this.jobs, this.fleet);
    this.scheduler = new LeaseScheduler(this.jobs, this.fleet);
    this.watch = new JobWatch(this.jobs);
    this.reports = new TrainerReports(this.jobs, this.fleet, this.watch);
    this.#metrics = new TrainingMetrics(env, this.jobs, this.fleet);
    this.jobs.restart(Date.now());
    void ctx.blockConcurrencyWhile(async () => {
      // The object may have been woken by an alarm, which setting another one would cancel.
      this.#armedFor = (await ctx.storage.getAlarm()) ?? Infinity;
      await this.#arm();
    });
  }

  /** An alarm may fire late or twice: the machine decides what it means. It must not throw. */
  override async alarm(): Promise<void> {
    this.#armedFor = Infinity;
    try {
      const now = Date.now();
      for (const jobId of this.jobs.store.due(now)) {
        this.jobs.apply(jobId, { kind: 'tick' }, now);
      }
      this.jobs.sweep(now);
      await this.settle();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.error(JSON.stringify({ level: 'error', event: 'training_alarm_failed', text }));
      await this.ctx.storage.setAlarm(Date.now() + ALARM_RETRY_MS);
    }
  }

  /** Leases the seats that became free, schedules a metrics report, and arms the next alarm. */
  protected async settle(): Promise<void> {
    this.scheduler.dispatch(Date.now());
    this.#metrics.schedule(this.ctx);
    await this.#arm();
  }

  /** The alarm may fire too early: a heartbeat must not cost a write for moving it. */
  async #arm(): Promise<void> {
    const next = this.jobs.store.nextDue();
    if (next === undefined || this.#armedFor <= next) return;
    this.#armedFor = next;
    await this.ctx.storage.setAlarm(next);
  }
}
