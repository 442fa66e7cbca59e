import type { EventsQuery } from '../contract/event-query.ts';
import { allows, type Caller } from '../http/caller.ts';
import { ownerOf, type Ownership, teamSeen, type Used } from '../http/ownership.ts';
import type { VersionRef } from '../registry/lineage.ts';

import { isOf, type Team } from './access.ts';
import type { CheckpointRecord } from './contract/checkpoint.ts';
import type { JobQuery, JobRecord, JobStatus } from './contract/job.ts';
import type { MetricPoint, SeriesQuery } from './contract/job-event.ts';
import type { ContributionRequest } from './contract/round.ts';
import type {
  CheckpointCommit,
  Heartbeat,
  LeaseEnd,
  LeaseProof,
  LeaseRequest,
  TrainerAnnouncement,
  TrainerRecord,
} from './contract/trainer.ts';
import type { EventPage } from './history-store.ts';
import type {
  CommitResult,
  ContributeResult,
  Denied,
  HeartbeatResult,
  JobListPage,
  JobResult,
  JobUpdates,
  LeaseResult,
  RoundsResult,
  SubmitResult,
  WatchPosition,
} from './results.ts';
import type { Command, NewJob } from './state.ts';
import {
  type Announced,
  type Announcer,
  serves,
  type ShownTrainer,
  trainerRecord,
} from './trainers.ts';
import { TrainingCore } from './training-core.ts';

interface LongPoll {
  readonly waitMs: number;
  readonly team: Team;
}

/**
 * All training jobs, the trainers, and the leases between them. A `team` restricts a method to the
 * jobs and trainers of that team; undefined stands for all teams.
 *
 * Storage is the only truth for what was acknowledged. In memory are long polls, when trainers were last
 * seen, and the latest metric points: a restart costs a client no more than asking again.
 */
export class Training extends TrainingCore {
  async submit(job: NewJob, limits: Used): Promise<SubmitResult> {
    const stored = this.jobs.submit(job, limits, Date.now());
    if (!stored) return { kind: 'full' };
    if (!('jobId' in stored)) return { kind: 'over', used: stored };
    await this.settle();
    return { kind: 'done', job: this.#current(stored.jobId) };
  }

  /** Owner and team of a job; undefined where there is none. */
  ownership(jobId: string): Ownership | undefined {
    return this.jobs.store.ownership(jobId);
  }

  resultOwnership(jobId: string, caller: Caller): Ownership | undefined {
    return this.access.ofResult(jobId, caller);
  }

  job(jobId: string, team: Team): JobRecord | undefined {
    const stored = this.jobs.store.find(jobId);
    if (!stored || !isOf(stored.job, team)) return undefined;
    return this.jobs.record(stored, this.fleet.all(Date.now()));
  }

  /** A page of jobs; `start` is the `next` of the page before. */
  list(query: Omit<JobQuery, 'cursor'>, start: number, team: Team): JobListPage {
    const { items, total, next } = this.jobs.store.list(query, start, team);
    const trainers = this.fleet.all(Date.now());
    return { jobs: items.map((stored) => this.jobs.record(stored, trainers)), total, next };
  }

  countByStatus(team: Team): Readonly<Partial<Record<JobStatus, number>>> {
    return this.jobs.store.countByStatus(team);
  }

  cancel(jobId: string): Promise<JobResult> {
    return this.#apply(jobId, { kind: 'cancel' });
  }

  events(jobId: string, { after = 0, limit }: EventsQuery, team: Team): EventPage | undefined {
    if (!this.access.has(jobId, team)) return undefined;
    return this.jobs.history.events(jobId, after, limit);
  }

  /** Updates of a job since a position; a long poll of at most `waitMs`. */
  async updates(
    jobId: string,
    position: WatchPosition,
    { waitMs, team }: LongPoll,
  ): Promise<JobUpdates | undefined> {
    if (!this.access.has(jobId, team)) return undefined;
    return this.watch.updates(jobId, position, waitMs);
  }

  series(
    jobId: string,
    { seat, after_step = -1 }: SeriesQuery,
    team: Team,
  ): MetricPoint[] | undefined {
    if (!this.access.has(jobId, team)) return undefined;
    const { history } = this.jobs;
    const seats = seat === undefined ? history.seats(jobId) : [seat];
    const points = seats.flatMap((one) => history.points(jobId, one));
    return points.filter(({ step }) => step > after_step);
  }

  checkpoints(jobId: string, team: Team): readonly CheckpointRecord[] | undefined {
    return this.access.has(jobId, team) ? this.jobs.checkpoints.all(jobId) : undefined;
  }

  checkpoint(jobId: string, id: string, team: Team): CheckpointRecord | undefined {
    return this.access.has(jobId, team) ? this.jobs.checkpoints.find(jobId, id) : undefined;
  }

  /** Those of the digests that name parts of checkpoints and rounds. */
  namedParts(digests: readonly string[]): readonly string[] {
    const named = this.jobs.checkpoints.namedParts();
    return digests.filter((digest) => named.has(digest));
  }

  /** Whether a job in progress names a `dataset_path`. */
  namesDataset(path: string): boolean {
    return this.jobs.store.namesDataset(path);
  }

  /** The model whose files a trainer wrote at a path below its output root, as its job requested. */
  resultAt(path: string, team: Team): VersionRef | undefined {
    return this.jobs.store.resultAt(path, team);
  }

  async announce(request: TrainerAnnouncement, announcer: Announcer): Promise<Announced> {
    const announced = this.fleet.announce(request, announcer, Date.now());
    await this.settle();
    if (!('trainer' in announced)) return announced;
    const { kind, trainer } = announced;
    const team = teamSeen(announcer.caller);
    return { kind, trainer: this.trainer(trainer.trainer_id, team) ?? trainer };
  }

  /** The trainers that take jobs of a team. */
  trainers(team: Team): TrainerRecord[] {
    const visible = this.access.visibleJobs(team);
    return this.placeable(team).map((shown) => trainerRecord(shown, visible));
  }

  /** The same, as the placement sees them. */
  placeable(team: Team): readonly ShownTrainer[] {
    return this.fleet.all(Date.now()).filter((shown) => serves(shown, team));
  }

  trainer(id: string, team: Team): TrainerRecord | undefined {
    const found = this.fleet.find(id, Date.now());
    return found && serves(found, team)
      ? trainerRecord(found, this.access.visibleJobs(team))
      : undefined;
  }

  async removeTrainer(id: string): Promise<boolean> {
    const now = Date.now();
    const found = this.fleet.find(id, now);
    if (!found) return false;
    for (const jobId of new Set(found.jobs)) {
      this.jobs.apply(jobId, { kind: 'leave', trainerId: id }, now);
    }
    this.fleet.remove(id);
    await this.settle();
    return true;
  }

  async drainTrainer(id: string, isDraining: boolean): Promise<TrainerRecord | undefined> {
    this.fleet.drain(id, isDraining);
    await this.settle();
    return this.trainer(id, undefined);
  }

  /** A lease once there is a job for the trainer; `waitId` names the request, to withdraw it. */
  async lease(request: LeaseRequest, waitId: string, caller: Caller): Promise<LeaseResult> {
    const trainer = this.fleet.find(request.trainer_id, Date.now());
    if (!trainer || !serves(trainer, teamSeen(caller))) return { kind: 'no-trainer' };
    const { owner } = trainer;
    if (owner !== ownerOf(caller)) return { kind: 'denied', owner };
    this.fleet.serveAll(request.trainer_id, allows(caller, 'admin'));
    const requested = this.scheduler.request(waitId, request);
    await this.settle();
    const lease = await requested;
    if (lease) await this.settle();
    return { kind: 'done', lease };
  }

  /** The client of a lease request has hung up. */
  withdraw(waitId: string): void {
    this.scheduler.withdraw(waitId);
  }

  heartbeat(jobId: string, report: Heartbeat, caller: Caller): Promise<HeartbeatResult> {
    return this.#withLease(jobId, report, caller, () =>
      this.reports.heartbeat(jobId, report, Date.now()),
    );
  }

  commit(jobId: string, commit: CheckpointCommit, caller: Caller): Promise<CommitResult> {
    return this.#withLease(jobId, commit, caller, () =>
      this.reports.commit(jobId, commit, Date.now()),
    );
  }

  contribute(
    jobId: string,
    request: ContributionRequest,
    caller: Caller,
  ): Promise<ContributeResult> {
    return this.#withLease(jobId, request, caller, () =>
      this.reports.contribute(jobId, request, Date.now()),
    );
  }

  async endLease(jobId: string, end: LeaseEnd, caller: Caller): Promise<JobResult> {
    const refusal = this.access.refusedTo(caller, jobId, end);
    if (refusal) return refusal;
    if (this.reports.isRepeated(jobId, end)) return { kind: 'done', job: this.#current(jobId) };
    return this.#apply(jobId, { kind: 'end', end });
  }

  /** Rounds closed after one; waits up to `waitMs` for the first. */
  async rounds(jobId: string, after: number, { waitMs, team }: LongPoll): Promise<RoundsResult> {
    if (!this.access.has(jobId, team)) return { kind: 'no-job' };
    return this.watch.rounds(jobId, after, waitMs);
  }

  /** Seats that wait, trainers that are present, and lease requests that wait. */
  size() {
    const trainers = this.trainers(undefined).filter(({ status }) => status !== 'lost').length;
    return { waiting: this.jobs.store.queueDepth(), trainers, asking: this.scheduler.size };
  }

  async #apply(jobId: string, command: Command): Promise<JobResult> {
    const applied = this.jobs.apply(jobId, command, Date.now());
    await this.settle();
    if (!applied) return { kind: 'no-job' };
    const { refusal } = applied;
    return refusal ? { kind: 'refused', refusal } : { kind: 'done', job: this.#current(jobId) };
  }

  /** Runs what only the trainer of a lease may do. */
  async #withLease<T>(
    jobId: string,
    proof: LeaseProof,
    caller: Caller,
    run: () => T,
  ): Promise<T | Denied | { readonly kind: 'no-job' }> {
    const refusal = this.access.refusedTo(caller, jobId, proof);
    if (refusal) return refusal;
    const result = run();
    await this.settle();
    return result;
  }

  #current(jobId: string): JobRecord {
    const job = this.job(jobId, undefined);
    if (job) return job;
    throw new Error(`${jobId} was written and cannot be found`);
  }
}
