import type { CheckpointRecord } from '../contract/training/checkpoint.ts';
import { type JobQuery, type JobRecord, type JobStatus } from '../contract/training/job.ts';
import type { EventsQuery } from '../contract/event-query.ts';
import type { MetricPoint, SeriesQuery } from '../contract/training/job-event.ts';
import type { ContributionRequest } from '../contract/training/round.ts';
import type {
  CheckpointCommit,
  Heartbeat,
  LeaseEnd,
  LeaseRequest,
  TrainerAnnouncement,
  TrainerRecord,
} from '../contract/training/trainer.ts';
import type { Env } from '../env.ts';
import { Outbox } from '../events/outbox.ts';
import type { NewJob } from '../training/new-job.ts';
import { tellOf } from '../training/job-events.ts';
import { StoredObject } from './stored-object.ts';
import type { VersionRef } from './registry-lineage.ts';
import { Following } from './training-following.ts';
import type { EventPage } from './training-history-store.ts';
import { type Applied, Jobs } from './training-jobs.ts';
import { LeaseDesk } from './training-lease-desk.ts';
import { Reception } from './training-reception.ts';
import type {
  CommitResult,
  ContributeResult,
  Followed,
  HeartbeatResult,
  JobListPage,
  JobResult,
  LeaseResult,
  Place,
  RoundsResult,
  SubmitResult,
} from './training-results.ts';
import { TrainingReports } from './training-reports.ts';
import { TRAINING_MIGRATIONS } from './training-schema.ts';
import type { Command } from './training-state.ts';
import { type Announced, type ShownTrainer, trainerRecord, Trainers } from './training-trainers.ts';

/** What is waited before an alarm that failed is tried again. */
const AFTER_FAULT_MS = 5_000;

/**
 * All training jobs, the trainers, and who holds what.
 *
 * Storage is the only truth for what was acknowledged. In memory are those who wait for an answer,
 * when trainers were seen last, and what was measured just now: a restart costs nobody more than
 * asking again.
 */
export class Training extends StoredObject {
  readonly #jobs: Jobs;
  readonly #trainers: Trainers;
  readonly #desk: LeaseDesk;
  readonly #reception: Reception;
  readonly #following: Following;
  readonly #reports: TrainingReports;
  #armedFor = Infinity;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, TRAINING_MIGRATIONS, { mayHold: { jobs: 0 } });
    const outbox = new Outbox(ctx.storage.sql, env);
    this.#jobs = new Jobs(ctx.storage, {
      happened: (jobId, event) => tellOf(outbox, jobId, event),
      changed: (jobId) => this.#following.wake(jobId),
      ended: (trainerId, outcome, now) => this.#trainers.noteEnd(trainerId, outcome, now),
    });
    this.#trainers = new Trainers(ctx.storage.sql, {
      held: () => this.#jobs.attempts.held(),
      isWaiting: (trainerId) => this.#desk.isWaiting(trainerId),
    });
    this.#desk = new LeaseDesk(this.#jobs, this.#trainers);
    this.#following = new Following(this.#jobs);
    this.#reception = new Reception(this.#jobs, this.#trainers, this.#following);
    this.#reports = new TrainingReports(env, this.#jobs, this.#trainers);
    this.#jobs.restart(Date.now());
    void ctx.blockConcurrencyWhile(async () => {
      // What woke this object may be an alarm, which moving it would cancel.
      this.#armedFor = (await ctx.storage.getAlarm()) ?? Infinity;
      await this.#arm();
    });
  }

  async submit(job: NewJob): Promise<SubmitResult> {
    const stored = this.#jobs.submit(job, Date.now());
    if (!stored) return { kind: 'full' };
    await this.#settle();
    return { kind: 'done', job: this.#now(stored.jobId) };
  }

  job(jobId: string): JobRecord | undefined {
    const stored = this.#jobs.store.find(jobId);
    return stored && this.#jobs.record(stored, this.#trainers.all(Date.now()));
  }

  /** A page of jobs; `from` is the `next` of the page before. */
  list(query: Omit<JobQuery, 'cursor'>, from: number): JobListPage {
    const { jobs, total, next } = this.#jobs.store.page(query, from);
    const trainers = this.#trainers.all(Date.now());
    return { jobs: jobs.map((stored) => this.#jobs.record(stored, trainers)), total, next };
  }

  countByStatus(): Readonly<Partial<Record<JobStatus, number>>> {
    return this.#jobs.store.countByStatus();
  }

  cancel(jobId: string): Promise<JobResult> {
    return this.#tell(jobId, { kind: 'cancel' });
  }

  events(jobId: string, { after = 0, limit }: EventsQuery): EventPage | undefined {
    const exists = this.#jobs.store.find(jobId) !== undefined;
    return exists ? this.#jobs.history.events(jobId, after, limit) : undefined;
  }

  /** What happened to a job since a place, held back until something did or `waitMs` is over. */
  follow(jobId: string, place: Place, waitMs: number): Promise<Followed | undefined> {
    return this.#following.follow(jobId, place, waitMs);
  }

  series(jobId: string, { seat, after_step = -1 }: SeriesQuery): MetricPoint[] | undefined {
    if (!this.#jobs.store.find(jobId)) return undefined;
    const { history } = this.#jobs;
    const seats = seat === undefined ? history.seats(jobId) : [seat];
    return seats
      .flatMap((one) => history.points(jobId, one))
      .filter(({ step }) => step > after_step);
  }

  checkpoints(jobId: string): readonly CheckpointRecord[] | undefined {
    const exists = this.#jobs.store.find(jobId) !== undefined;
    return exists ? this.#jobs.checkpoints.all(jobId) : undefined;
  }

  checkpoint(jobId: string, id: string): CheckpointRecord | undefined {
    return this.#jobs.checkpoints.find(jobId, id);
  }

  /** Those of the digests of parts that checkpoints and rounds are made of. */
  namedParts(digests: readonly string[]): readonly string[] {
    const named = this.#jobs.checkpoints.namedParts();
    return digests.filter((digest) => named.has(digest));
  }

  /** Whether a job under way names a `dataset_path`. */
  namesDataset(path: string): boolean {
    return this.#jobs.store.namesDataset(path);
  }

  /** The model that a trainer was told to keep at a path below its output root, if one was. */
  resultKeptAt(path: string): VersionRef | undefined {
    return this.#jobs.store.resultKeptAt(path);
  }

  async announce(said: TrainerAnnouncement, createdBy: string): Promise<Announced> {
    const announced = this.#trainers.announce(said, createdBy, Date.now());
    await this.#settle();
    if (announced.kind === 'full') return announced;
    const { kind } = announced;
    return { kind, trainer: this.trainer(announced.trainer.trainer_id) ?? announced.trainer };
  }

  trainers(): TrainerRecord[] {
    return this.#trainers.all(Date.now()).map(trainerRecord);
  }

  /** The trainers as the ranking sees them. */
  placeable(): readonly ShownTrainer[] {
    return this.#trainers.all(Date.now());
  }

  trainer(id: string): TrainerRecord | undefined {
    const found = this.#trainers.find(id, Date.now());
    return found && trainerRecord(found);
  }

  async removeTrainer(id: string): Promise<boolean> {
    const now = Date.now();
    const found = this.#trainers.find(id, now);
    if (!found) return false;
    for (const jobId of new Set(found.jobs)) {
      this.#jobs.apply(jobId, { kind: 'leave', trainerId: id }, now);
    }
    this.#trainers.remove(id);
    await this.#settle();
    return true;
  }

  async drainTrainer(id: string, isDraining: boolean): Promise<TrainerRecord | undefined> {
    this.#trainers.drain(id, isDraining);
    await this.#settle();
    return this.trainer(id);
  }

  /** A lease, held back until there is one; `waitId` names the asking, to withdraw it. */
  async lease(request: LeaseRequest, waitId: string): Promise<LeaseResult> {
    if (!this.#trainers.find(request.trainer_id, Date.now())) return { kind: 'no-trainer' };
    const asked = this.#desk.ask(waitId, request);
    await this.#settle();
    const lease = await asked;
    if (lease) await this.#settle();
    return { kind: 'done', lease };
  }

  /** Whoever asked has hung up. */
  withdraw(waitId: string): void {
    this.#desk.withdraw(waitId);
  }

  async heartbeat(jobId: string, beat: Heartbeat): Promise<HeartbeatResult> {
    const result = this.#reception.heartbeat(jobId, beat, Date.now());
    await this.#settle();
    return result;
  }

  async commit(jobId: string, commit: CheckpointCommit): Promise<CommitResult> {
    const result = this.#reception.commit(jobId, commit, Date.now());
    await this.#settle();
    return result;
  }

  async endLease(jobId: string, end: LeaseEnd): Promise<JobResult> {
    if (this.#reception.isRepeated(jobId, end)) return { kind: 'done', job: this.#now(jobId) };
    return this.#tell(jobId, { kind: 'end', end });
  }

  async contribute(jobId: string, request: ContributionRequest): Promise<ContributeResult> {
    const result = this.#reception.contribute(jobId, request, Date.now());
    await this.#settle();
    return result;
  }

  /** Rounds closed after one, held back until there is one. */
  rounds(jobId: string, after: number, waitMs: number): Promise<RoundsResult> {
    return this.#following.rounds(jobId, after, waitMs);
  }

  /** How much there is, and what of it waits. */
  size() {
    const trainers = this.trainers().filter(({ status }) => status !== 'lost').length;
    return { waiting: this.#jobs.store.queueDepth(), trainers, asking: this.#desk.size };
  }

  /** An alarm may fire late or twice: the machine decides what it means. It does not fail. */
  override async alarm(): Promise<void> {
    this.#armedFor = Infinity;
    try {
      const now = Date.now();
      for (const jobId of this.#jobs.store.due(now)) {
        this.#jobs.apply(jobId, { kind: 'tick' }, now);
      }
      this.#jobs.sweep(now);
      await this.#settle();
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.error(JSON.stringify({ level: 'error', event: 'training_alarm_failed', text }));
      await this.ctx.storage.setAlarm(Date.now() + AFTER_FAULT_MS);
    }
  }

  async #tell(jobId: string, command: Command): Promise<JobResult> {
    const applied = this.#jobs.apply(jobId, command, Date.now());
    await this.#settle();
    return this.#result(jobId, applied);
  }

  #result(jobId: string, applied: Applied | undefined): JobResult {
    if (!applied) return { kind: 'no-job' };
    const { refusal } = applied;
    return refusal ? { kind: 'refused', refusal } : { kind: 'done', job: this.#now(jobId) };
  }

  #now(jobId: string): JobRecord {
    const job = this.job(jobId);
    if (job) return job;
    throw new Error(`${jobId} was written and cannot be found`);
  }

  /** Gives out what became free, sees to the next alarm, and tells how much there is. */
  async #settle(): Promise<void> {
    this.#desk.dispatch(Date.now());
    this.#reports.soon(this.ctx);
    await this.#arm();
  }

  /** The alarm may fire too early: a heartbeat must not cost a write for moving it. */
  async #arm(): Promise<void> {
    const next = this.#jobs.store.nextDue();
    if (next === undefined || this.#armedFor <= next) return;
    this.#armedFor = next;
    await this.ctx.storage.setAlarm(next);
  }
}
