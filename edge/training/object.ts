import type { CheckpointRecord } from './contract/checkpoint.ts';
import { type JobQuery, type JobRecord, type JobStatus } from './contract/job.ts';
import type { EventsQuery } from '../contract/event-query.ts';
import type { MetricPoint, SeriesQuery } from './contract/job-event.ts';
import type { ContributionRequest } from './contract/round.ts';
import type {
  CheckpointCommit,
  Heartbeat,
  LeaseEnd,
  LeaseRequest,
  TrainerAnnouncement,
  TrainerRecord,
} from './contract/trainer.ts';
import type { Env } from '../env.ts';
import { Outbox } from '../events/outbox.ts';
import { allows, type Caller } from '../http/caller.ts';
import { ownerOf, type Ownership, teamSeen, type Used } from '../http/ownership.ts';
import type { NewJob } from './new-job.ts';
import { tellOf } from './job-events.ts';
import { StoredObject } from '../storage/stored-object.ts';
import type { VersionRef } from '../registry/lineage.ts';
import { Following } from './following.ts';
import type { EventPage } from './history-store.ts';
import { type Applied, Jobs } from './jobs.ts';
import { LeaseDesk } from './lease-scheduler.ts';
import { Reception } from './trainer-reports.ts';
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
} from './results.ts';
import { isOf, type Team, TrainingOwners } from './owners.ts';
import { TrainingReports } from './reports.ts';
import { TRAINING_MIGRATIONS } from './schema.ts';
import type { Command } from './state.ts';
import {
  type Announced,
  type Announcer,
  serves,
  type ShownTrainer,
  trainerRecord,
  Trainers,
} from './trainers.ts';

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
  readonly #owners: TrainingOwners;
  readonly #desk: LeaseDesk;
  readonly #reception: Reception;
  readonly #following: Following;
  readonly #reports: TrainingReports;
  #armedFor = Infinity;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, TRAINING_MIGRATIONS, { mayHold: { jobs: 0 } });
    const outbox = new Outbox(ctx.storage.sql, env);
    this.#jobs = new Jobs(ctx.storage, {
      happened: (job, event) => tellOf(outbox, job, event),
      changed: (jobId) => this.#following.wake(jobId),
      ended: (trainerId, outcome, now) => this.#trainers.noteEnd(trainerId, outcome, now),
    });
    this.#trainers = new Trainers(ctx.storage.sql, {
      held: () => this.#jobs.attempts.held(),
      isWaiting: (trainerId) => this.#desk.isWaiting(trainerId),
    });
    this.#owners = new TrainingOwners(this.#jobs, this.#trainers);
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

  async submit(job: NewJob, limits: Used): Promise<SubmitResult> {
    const stored = this.#jobs.submit(job, limits, Date.now());
    if (!stored) return { kind: 'full' };
    if (!('jobId' in stored)) return { kind: 'over', used: stored };
    await this.#settle();
    return { kind: 'done', job: this.#now(stored.jobId) };
  }

  /** Whose a job is; undefined where there is none. */
  ownership(jobId: string): Ownership | undefined {
    return this.#jobs.store.ownership(jobId);
  }

  resultOwnership(jobId: string, caller: Caller): Ownership | undefined {
    return this.#owners.ofResult(jobId, caller);
  }

  /** A job of a team, or of any where none is named: as everywhere below. */
  job(jobId: string, team: Team): JobRecord | undefined {
    const stored = this.#jobs.store.find(jobId);
    if (!stored || !isOf(stored.job, team)) return undefined;
    return this.#jobs.record(stored, this.#trainers.all(Date.now()));
  }

  /** A page of jobs; `from` is the `next` of the page before. */
  list(query: Omit<JobQuery, 'cursor'>, from: number, team: Team): JobListPage {
    const { jobs, total, next } = this.#jobs.store.page(query, from, team);
    const trainers = this.#trainers.all(Date.now());
    return { jobs: jobs.map((stored) => this.#jobs.record(stored, trainers)), total, next };
  }

  countByStatus(team: Team): Readonly<Partial<Record<JobStatus, number>>> {
    return this.#jobs.store.countByStatus(team);
  }

  cancel(jobId: string): Promise<JobResult> {
    return this.#tell(jobId, { kind: 'cancel' });
  }

  events(jobId: string, { after = 0, limit }: EventsQuery, team: Team): EventPage | undefined {
    return this.#owners.has(jobId, team)
      ? this.#jobs.history.events(jobId, after, limit)
      : undefined;
  }

  /** What happened to a job since a place, held back until something did or `waitMs` is over. */
  async follow(
    jobId: string,
    place: Place,
    { waitMs, team }: { readonly waitMs: number; readonly team: Team },
  ): Promise<Followed | undefined> {
    if (!this.#owners.has(jobId, team)) return undefined;
    return this.#following.follow(jobId, place, waitMs);
  }

  series(
    jobId: string,
    { seat, after_step = -1 }: SeriesQuery,
    team: Team,
  ): MetricPoint[] | undefined {
    if (!this.#owners.has(jobId, team)) return undefined;
    const { history } = this.#jobs;
    const seats = seat === undefined ? history.seats(jobId) : [seat];
    return seats
      .flatMap((one) => history.points(jobId, one))
      .filter(({ step }) => step > after_step);
  }

  checkpoints(jobId: string, team: Team): readonly CheckpointRecord[] | undefined {
    return this.#owners.has(jobId, team) ? this.#jobs.checkpoints.all(jobId) : undefined;
  }

  checkpoint(jobId: string, id: string, team: Team): CheckpointRecord | undefined {
    return this.#owners.has(jobId, team) ? this.#jobs.checkpoints.find(jobId, id) : undefined;
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
  resultKeptAt(path: string, team: Team): VersionRef | undefined {
    return this.#jobs.store.resultKeptAt(path, team);
  }

  async announce(said: TrainerAnnouncement, announcer: Announcer): Promise<Announced> {
    const announced = this.#trainers.announce(said, announcer, Date.now());
    await this.#settle();
    if (!('trainer' in announced)) return announced;
    const { kind, trainer } = announced;
    const team = teamSeen(announcer.caller);
    return { kind, trainer: this.trainer(trainer.trainer_id, team) ?? trainer };
  }

  /** The trainers that take jobs of a team. */
  trainers(team: Team): TrainerRecord[] {
    const visible = this.#owners.jobsShownTo(team);
    return this.placeable(team).map((shown) => trainerRecord(shown, visible));
  }

  /** The same, as the ranking sees them. */
  placeable(team: Team): readonly ShownTrainer[] {
    return this.#trainers.all(Date.now()).filter((shown) => serves(shown, team));
  }

  trainer(id: string, team: Team): TrainerRecord | undefined {
    const found = this.#trainers.find(id, Date.now());
    return found && serves(found, team)
      ? trainerRecord(found, this.#owners.jobsShownTo(team))
      : undefined;
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
    return this.trainer(id, undefined);
  }

  /** A lease, held back until there is one; `waitId` names the asking, to withdraw it. */
  async lease(request: LeaseRequest, waitId: string, caller: Caller): Promise<LeaseResult> {
    const trainer = this.#trainers.find(request.trainer_id, Date.now());
    if (!trainer || !serves(trainer, teamSeen(caller))) return { kind: 'no-trainer' };
    const { owner } = trainer;
    if (owner !== ownerOf(caller)) return { kind: 'denied', owner };
    this.#trainers.serveAll(request.trainer_id, allows(caller, 'admin'));
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

  async heartbeat(jobId: string, beat: Heartbeat, caller: Caller): Promise<HeartbeatResult> {
    const refusal = this.#owners.refusedTo(caller, jobId, beat);
    if (refusal) return refusal;
    const result = this.#reception.heartbeat(jobId, beat, Date.now());
    await this.#settle();
    return result;
  }

  async commit(jobId: string, commit: CheckpointCommit, caller: Caller): Promise<CommitResult> {
    const refusal = this.#owners.refusedTo(caller, jobId, commit);
    if (refusal) return refusal;
    const result = this.#reception.commit(jobId, commit, Date.now());
    await this.#settle();
    return result;
  }

  async endLease(jobId: string, end: LeaseEnd, caller: Caller): Promise<JobResult> {
    const refusal = this.#owners.refusedTo(caller, jobId, end);
    if (refusal) return refusal;
    if (this.#reception.isRepeated(jobId, end)) return { kind: 'done', job: this.#now(jobId) };
    return this.#tell(jobId, { kind: 'end', end });
  }

  async contribute(
    jobId: string,
    request: ContributionRequest,
    caller: Caller,
  ): Promise<ContributeResult> {
    const refusal = this.#owners.refusedTo(caller, jobId, request);
    if (refusal) return refusal;
    const result = this.#reception.contribute(jobId, request, Date.now());
    await this.#settle();
    return result;
  }

  /** Rounds closed after one, held back until there is one. */
  async rounds(
    jobId: string,
    after: number,
    { waitMs, team }: { readonly waitMs: number; readonly team: Team },
  ): Promise<RoundsResult> {
    if (!this.#owners.has(jobId, team)) return { kind: 'no-job' };
    return this.#following.rounds(jobId, after, waitMs);
  }

  /** How much there is, and what of it waits. */
  size() {
    const trainers = this.trainers(undefined).filter(({ status }) => status !== 'lost').length;
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
    const job = this.job(jobId, undefined);
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
