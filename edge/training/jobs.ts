import type { CheckpointRecord } from './contract/checkpoint.ts';
import type { JobRecord } from './contract/job.ts';
import type { JobEvent } from './contract/job-event.ts';
import type { LeaseProof } from './contract/trainer.ts';
import { jobRecord, waitingReasonOf } from './job-record.ts';
import {
  type Command,
  type Effect,
  type JobState,
  type LiveSeat,
  liveSeats,
  type NewEvent,
  type NewJob,
  newJobState,
  type Outcome,
  type Refusal,
} from './state.ts';
import { isBeyond, type Used } from '../http/ownership.ts';
import { AttemptStore } from './attempt-store.ts';
import { CheckpointStore } from './checkpoint-store.ts';
import { HistoryStore } from './history-store.ts';
import { transition } from './machine.ts';
import { JobStore, type StoredJob } from './store.ts';
import { serves, type ShownTrainer } from './trainers.ts';
import { EventType } from '../events/contract/platform-event.ts';
import type { Outbox } from '../events/outbox.ts';

/** Jobs that are stored. */
const MAX_JOBS = 10_000;
const RETENTION_MS = 90 * 24 * 3600 * 1000;
/** Jobs that are cleared away at once. */
const SWEEP_BATCH = 100;

export interface Applied {
  readonly stored: StoredJob;
  readonly effects: readonly Effect[];
  readonly refusal: Refusal | null;
}

/** Further writes in the same transaction as an accepted command. */
type Also = (stored: StoredJob, holder: LiveSeat | undefined) => void;

interface Listener {
  /** A job changed; its seats may have changed too. */
  readonly changed: (jobId: string) => void;

  readonly ended: (trainerId: string, outcome: Outcome, now: number) => void;
}

/** All that is stored of jobs, and the one way to change it: a command to the machine. */
export class Jobs {
  readonly store: JobStore;
  readonly attempts: AttemptStore;
  readonly history: HistoryStore;
  readonly checkpoints: CheckpointStore;
  readonly #storage: DurableObjectStorage;
  readonly #outbox: Outbox;
  readonly #listener: Listener;

  constructor(storage: DurableObjectStorage, outbox: Outbox, listener: Listener) {
    this.#storage = storage;
    this.#outbox = outbox;
    this.#listener = listener;
    this.store = new JobStore(storage.sql);
    this.attempts = new AttemptStore(storage.sql);
    this.history = new HistoryStore(storage.sql);
    this.checkpoints = new CheckpointStore(storage.sql);
  }

  /** The job; the usage where it exceeds the limits; undefined where no more jobs can be stored. */
  submit(job: NewJob, limits: Used, now: number): StoredJob | Used | undefined {
    return this.#storage.transactionSync(() => {
      this.sweep(now);
      const used = this.store.inProgress({ owner: job.created_by, team: job.team });
      if (isBeyond(limits, used)) return used;
      if (this.#count() >= MAX_JOBS) this.#removeAll(this.store.endedBefore(now + 1, 1));
      if (this.#count() >= MAX_JOBS) return undefined;
      const stored = this.store.add(job, newJobState(job.plan, job.totalSteps, now));
      const event = { level: 'info', type: 'job.status', message: 'queued' } as const;
      this.#addEvent(stored, { ...event, data: { from: null, to: 'queued' } }, now);
      return stored;
    });
  }

  /** Undefined where there is no such job. */
  apply(jobId: string, command: Command, now: number, also?: Also): Applied | undefined {
    const applied = this.#storage.transactionSync(() => {
      const before = this.store.find(jobId);
      if (!before) return undefined;
      const holder = 'proof' in command ? holderOf(before.state, command.proof) : undefined;
      const { state, effects, refusal } = transition(before.state, command, now);
      const stored = { ...before, state };
      if (state !== before.state) this.store.write(jobId, state);
      for (const effect of effects) this.#write(stored, effect, now);
      if (!refusal) also?.(stored, holder);
      return { stored, effects, refusal };
    });
    if (applied && applied.effects.length > 0) this.#listener.changed(jobId);
    return applied;
  }

  /** Informs every job in progress that the service was down. */
  restart(now: number): void {
    for (const jobId of this.store.due(Number.MAX_SAFE_INTEGER)) {
      this.apply(jobId, { kind: 'restart' }, now);
    }
  }

  /** Clears away what ended long ago. */
  sweep(now: number): void {
    this.#removeAll(this.store.endedBefore(now - RETENTION_MS, SWEEP_BATCH));
  }

  record(stored: StoredJob, trainers: readonly ShownTrainer[]): JobRecord {
    return jobRecord(stored, {
      attempts: this.attempts.all(stored.jobId),
      checkpoints: this.checkpoints.all(stored.jobId),
      waitingReason: () => {
        const { need, team } = stored.job;
        return waitingReasonOf(
          need,
          trainers.filter((one) => serves(one, team)),
        );
      },
    });
  }

  /** The checkpoint that the next lease resumes from. */
  newestCheckpoint({ jobId, state }: StoredJob): CheckpointRecord | null {
    const { checkpoint } = state;
    return (checkpoint && this.checkpoints.find(jobId, checkpoint.id)) ?? null;
  }

  #write(stored: StoredJob, effect: Effect, now: number): void {
    const { jobId, job } = stored;
    switch (effect.kind) {
      case 'event': {
        const { kind: _, ...event } = effect;
        return this.#addEvent(stored, event, now);
      }
      case 'attempt-begun':
        this.attempts.begin(jobId, effect.seat, effect.lease);
        this.attempts.noteServed(job.created_by, now);
        return this.history.truncate(jobId, effect.seat, effect.lease.fromStep);
      case 'attempt-ended':
        this.attempts.end(jobId, effect.lease, effect.outcome, now);
        return this.#listener.ended(effect.lease.trainerId, effect.outcome, now);
      case 'round-closed':
        return this.checkpoints.addRound(jobId, effect.closed);
      case 'rounds-covered':
        return this.checkpoints.dropRounds(jobId, effect.through);
    }
  }

  #addEvent(stored: StoredJob, event: NewEvent, now: number): void {
    this.#publish(stored, this.history.addEvent(stored.jobId, event, now));
  }

  /** Publishes an event of a job as a platform event where its type is one. */
  #publish({ jobId, job: { team } }: StoredJob, event: JobEvent): void {
    const type = EventType.safeParse(event.type);
    if (!type.success) return;
    const { id, created_at: time, level, message } = event;
    const data = { job_id: jobId, level, message, ...event.data };
    this.#outbox.add({ id, type: type.data, subject: jobId, team, time, data });
  }

  #count(): number {
    return Object.values(this.store.countByStatus()).reduce((sum, count) => sum + count, 0);
  }

  #removeAll(jobIds: readonly string[]): void {
    for (const jobId of jobIds) {
      this.store.remove(jobId);
      this.attempts.remove(jobId);
      this.history.remove(jobId);
      this.checkpoints.remove(jobId);
    }
  }
}

export const holderOf = (state: JobState, proof: LeaseProof): LiveSeat | undefined =>
  liveSeats(state).find(
    ({ lease }) => lease.leaseId === proof.lease_id && lease.token === proof.fencing_token,
  );
