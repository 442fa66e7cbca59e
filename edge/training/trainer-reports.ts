import type { CheckpointRecord } from './contract/checkpoint.ts';
import { type JobMetrics, TERMINAL } from './contract/job.ts';
import type { ContributionRequest } from './contract/round.ts';
import type {
  CheckpointCommit,
  Heartbeat,
  HeartbeatAnswer,
  LeaseEnd,
  LeaseProof,
} from './contract/trainer.ts';
import { ulid } from '../http/ulid.ts';
import type { JobWatch } from './job-watch.ts';
import { type Applied, holderOf, type Jobs } from './jobs.ts';
import type { CommitResult, ContributeResult, HeartbeatResult } from './results.ts';
import { roundOf } from './rounds.ts';
import { type JobState, type LiveSeat, liveSeats } from './state.ts';
import type { Trainers } from './trainers.ts';
import type { MetricPoint } from './contract/job-event.ts';

/** Handles the reports of trainers about the seats that they hold. */
export class TrainerReports {
  readonly #jobs: Jobs;
  readonly #trainers: Trainers;
  readonly #watch: JobWatch;

  constructor(jobs: Jobs, trainers: Trainers, watch: JobWatch) {
    this.#jobs = jobs;
    this.#trainers = trainers;
    this.#watch = watch;
  }

  heartbeat(jobId: string, request: Heartbeat, now: number): HeartbeatResult {
    const { phase, progress, points, effective = null } = request;
    const report = { phase, progress, metrics: latestMetrics(points), effective };
    const command = { kind: 'heartbeat', proof: request, report } as const;
    const applied = this.#jobs.apply(jobId, command, now, (_, holder) => {
      if (holder) this.#note(jobId, holder, request, now);
    });
    if (!applied) return { kind: 'no-job' };
    const { state } = applied.stored;
    if (TERMINAL.has(state.status)) this.#watch.forget(jobId);
    const holder = holderOf(state, request);
    if (applied.refusal) return this.#afterwards(jobId, applied, { proof: request, now });
    if (!holder) throw new Error(`the lease ${request.lease_id} was renewed and is not held`);
    return { kind: 'done', answer: answerTo(state, holder) };
  }

  commit(jobId: string, request: CheckpointCommit, now: number): CommitResult {
    const before = this.#jobs.checkpoints.all(jobId);
    const isSame = ({ attempt, digest, step }: CheckpointRecord) =>
      attempt === request.fencing_token && digest === request.digest && step === request.step;
    const same = before.find(isSame);
    const state = this.#jobs.store.find(jobId)?.state;
    if (same && state && holderOf(state, request)) return { kind: 'same', checkpoint: same };
    const record = recordOf(jobId, request, now);
    const round = Math.trunc(request.metrics['round'] ?? 0);
    const checkpoint = { id: record.id, step: record.step, round };
    const command = { kind: 'commit', proof: request, checkpoint, epoch: request.epoch } as const;
    const applied = this.#jobs.apply(jobId, command, now, () => {
      this.#jobs.checkpoints.add(record, round);
    });
    return refusedOr(applied, () => ({ kind: 'created', checkpoint: record }));
  }

  contribute(jobId: string, request: ContributionRequest, now: number): ContributeResult {
    const { round, tokens, loss, delta, base_digest } = request;
    const command = {
      kind: 'contribute',
      proof: request,
      delta: { round, baseDigest: base_digest, contribution: { tokens, loss, delta } },
    } as const;
    const before = this.#jobs.store.find(jobId)?.state.rounds?.sent.length ?? 0;
    const applied = this.#jobs.apply(jobId, command, now);
    return refusedOr(applied, ({ stored, effects }) => {
      const current = roundOf(stored.state);
      if (!current) throw new Error(`${jobId} took a delta and has no rounds`);
      const hasMore = (stored.state.rounds?.sent.length ?? 0) > before || effects.length > 0;
      return { kind: hasMore ? 'created' : 'same', round: current };
    });
  }

  /** Whether a lease was already ended with this outcome: its trainer missed the response. */
  isRepeated(jobId: string, { lease_id, fencing_token, outcome }: LeaseEnd): boolean {
    const attempt = this.#jobs.attempts.find(jobId, fencing_token);
    return attempt?.leaseId === lease_id && attempt.outcome === outcome;
  }

  /** Stores the points, messages and device state of a heartbeat. */
  #note(jobId: string, { seat, lease }: LiveSeat, request: Heartbeat, now: number): void {
    const points = request.points.map((point) => ({ ...point, seat }));
    if (points.length > 0) this.#jobs.history.addPoints(jobId, seat, points);
    for (const { level, message } of request.messages) {
      const event = { level, type: 'job.message', message, data: { seat } };
      this.#jobs.history.addEvent(jobId, event, now);
    }
    if (points.length + request.messages.length > 0) this.#watch.publish(jobId, points, now);
    this.#trainers.see(lease.trainerId, now, request);
  }

  /** The trainer that held a seat when the job ended receives a stop; any other lease is stale. */
  #afterwards(
    jobId: string,
    { stored, refusal }: Applied,
    { proof, now }: { readonly proof: LeaseProof; readonly now: number },
  ): HeartbeatResult {
    const attempt = this.#jobs.attempts.find(jobId, proof.fencing_token);
    const heldToTheEnd =
      attempt?.leaseId === proof.lease_id && attempt.endedAt === stored.state.finishedAt;
    if (refusal && !(heldToTheEnd && TERMINAL.has(stored.state.status))) {
      return { kind: 'refused', refusal };
    }
    const expires_at = new Date(now).toISOString();
    return {
      kind: 'done',
      answer: { expires_at, cancel: 'stop', cancel_by: null, round: null },
    };
  }
}

function refusedOr<T>(applied: Applied | undefined, done: (applied: Applied) => T) {
  if (!applied) return { kind: 'no-job' } as const;
  const { refusal } = applied;
  return refusal ? ({ kind: 'refused', refusal } as const) : done(applied);
}

/** Only who leads leaves a last checkpoint. */
function answerTo(state: JobState, { seat, lease }: LiveSeat): HeartbeatAnswer {
  const { cancelBy } = state;
  const isLeader = liveSeats(state)[0]?.seat === seat;
  return {
    expires_at: new Date(lease.expiresAt).toISOString(),
    cancel: cancelBy === null ? null : isLeader ? 'checkpoint' : 'stop',
    cancel_by: cancelBy === null ? null : new Date(cancelBy).toISOString(),
    round: roundOf(state),
  };
}

function recordOf(jobId: string, request: CheckpointCommit, now: number): CheckpointRecord {
  const { lease_id: _, fencing_token, ...checkpoint } = request;
  return {
    ...checkpoint,
    id: `ckp_${ulid(now)}`,
    job_id: jobId,
    size_bytes: request.files.reduce((sum, file) => sum + file.size_bytes, 0),
    attempt: fencing_token,
    created_at: new Date(now).toISOString(),
  };
}

const FIELDS = ['train_loss', 'valid_loss', 'tokens_per_s', 'spike_rate'] as const;

/** The latest value of each metric in a list of points; metrics without a value are left out. */
function latestMetrics(points: readonly MetricPoint[]): Partial<JobMetrics> {
  const latest: Partial<JobMetrics> = {};
  for (const field of FIELDS) {
    const value = points.findLast((point) => point[field] !== null)?.[field];
    if (value !== undefined) latest[field] = value;
  }
  return latest;
}
