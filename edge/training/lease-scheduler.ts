import type { Lease, LeaseRequest } from './contract/trainer.ts';
import { bestTrainer, fairOrder } from './placement.ts';
import type { Jobs } from './jobs.ts';
import { type JobState, liveSeats, type SeatLease } from './state.ts';
import type { StoredJob } from './store.ts';
import { serves, type ShownTrainer, type Trainers } from './trainers.ts';

/** A lease request that waits for a job. */
interface Waiter {
  readonly trainerId: string;
  readonly settle: (lease: Lease | null) => void;
}

/**
 * Matches lease requests with jobs. Waiting requests are in memory: trainers repeat them after a restart.
 * A request whose client hung up is withdrawn before a job is leased to it.
 */
export class LeaseScheduler {
  readonly #jobs: Jobs;
  readonly #trainers: Trainers;
  /** The longest waiting first. */
  readonly #waiters = new Map<string, Waiter>();

  constructor(jobs: Jobs, trainers: Trainers) {
    this.#jobs = jobs;
    this.#trainers = trainers;
  }

  /** The number of waiting requests. */
  get size(): number {
    return this.#waiters.size;
  }

  isWaiting(trainerId: string): boolean {
    return [...this.#waiters.values()].some((waiter) => waiter.trainerId === trainerId);
  }

  /** A lease, or null where there was no work for so long. */
  async request(waitId: string, { trainer_id, wait_s }: LeaseRequest): Promise<Lease | null> {
    const { promise, resolve } = Promise.withResolvers<Lease | null>();
    const timer = setTimeout(() => this.withdraw(waitId), wait_s * 1000);
    const settle = (lease: Lease | null) => {
      clearTimeout(timer);
      this.#waiters.delete(waitId);
      this.#trainers.see(trainer_id, Date.now());
      resolve(lease);
    };
    this.#waiters.set(waitId, { trainerId: trainer_id, settle });
    this.dispatch(Date.now());
    if (wait_s === 0) this.withdraw(waitId);
    return promise;
  }

  withdraw(waitId: string): void {
    this.#waiters.get(waitId)?.settle(null);
  }

  /** Leases seats to waiting trainers while there is a fitting pair. */
  dispatch(now: number): void {
    while (this.#waiters.size > 0 && this.#giveOne(now));
  }

  #giveOne(now: number): boolean {
    const queue = fairOrder(this.#jobs.store.waiting(), this.#jobs.attempts.service());
    if (queue.length === 0) return false;
    const here = this.#trainers.all(now).filter(({ trainer_id: id }) => this.isWaiting(id));
    for (const { jobId } of queue) {
      const stored = this.#jobs.store.find(jobId);
      // A second seat of the same job would teach its trainer nothing new.
      const others = here.filter(
        (one) => !one.jobs.includes(jobId) && serves(one, stored?.job.team),
      );
      const trainer = stored && bestTrainer(stored.job.need, others);
      if (trainer && this.#give(jobId, trainer, now)) return true;
    }
    return false;
  }

  #give(jobId: string, trainer: ShownTrainer, now: number): boolean {
    const { trainer_id, name, device } = trainer;
    const applied = this.#jobs.apply(
      jobId,
      {
        kind: 'lease',
        leaseId: `lea_${crypto.randomUUID()}`,
        trainerId: trainer_id,
        trainerName: name,
        device: {
          label: device.label,
          gpuIndex: device.kind === 'gpu' ? (device.gpu_index ?? 0) : null,
          freeBytes: device.free_bytes,
        },
      },
      now,
    );
    if (!applied || applied.refusal) return false;
    const waiter = [...this.#waiters.values()].find((one) => one.trainerId === trainer_id);
    waiter?.settle(this.#leaseOf(applied.stored));
    return true;
  }

  #leaseOf(stored: StoredJob): Lease {
    const { seat, lease } = latestLease(stored.state);
    return {
      lease_id: lease.leaseId,
      fencing_token: lease.token,
      job: this.#jobs.record(stored, []),
      request: { ...stored.job.request },
      attempt: lease.token,
      seat,
      checkpoint: this.#jobs.newestCheckpoint(stored),
      expires_at: new Date(lease.expiresAt).toISOString(),
    };
  }
}

/** The lease that was granted just now. */
function latestLease(state: JobState): { readonly seat: number; readonly lease: SeatLease } {
  const given = liveSeats(state).find(({ lease }) => lease.token === state.token);
  if (given) return given;
  throw new Error(`no seat has the fencing token ${state.token}`);
}
