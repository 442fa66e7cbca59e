import { type JobStatus, TERMINAL } from './contract/job.ts';
import type { JobEvent } from './contract/job-event.ts';
import type { LeaseProof } from './contract/trainer.ts';
import {
  type Effect,
  type JobState,
  type LiveSeat,
  liveSeats,
  type Outcome,
  type Refusal,
  type Seat,
  type SeatLease,
} from './state.ts';

/** A change of a job while it is being decided: the state so far, and what follows from it. */
export class JobChange {
  state: JobState;
  readonly effects: Effect[] = [];
  readonly now: number;

  constructor(state: JobState, now: number) {
    this.state = state;
    this.now = now;
  }

  get isOver(): boolean {
    return TERMINAL.has(this.state.status);
  }

  set(update: Partial<JobState>): void {
    this.state = { ...this.state, ...update, updatedAt: this.now };
  }

  setSeat(index: number, seat: Seat): void {
    this.set({ seats: this.state.seats.with(index, seat) });
  }

  log(level: JobEvent['level'], type: string, message: string, data: JobEvent['data'] = {}): void {
    this.effects.push({ kind: 'event', level, type, message, data });
  }

  setStatus(status: JobStatus, reason: string): void {
    const from = this.state.status;
    this.set({ status, reason });
    if (from === status) return;
    const level = status === 'failed' ? 'error' : status === 'recovering' ? 'warn' : 'info';
    this.log(level, 'job.status', reason === '' ? status : `${status}: ${reason}`, {
      from,
      to: status,
    });
  }

  /** The seat that a proof is good for now. */
  holder({ lease_id, fencing_token }: LeaseProof): LiveSeat | undefined {
    return liveSeats(this.state).find(
      ({ lease }) => lease.leaseId === lease_id && lease.token === fencing_token,
    );
  }

  renew(seat: number, lease: SeatLease, update: Partial<SeatLease>): void {
    this.setSeat(seat, { kind: 'live', lease: { ...lease, ...update } });
  }

  /** Takes a seat from its trainer. */
  vacate({ seat, lease }: LiveSeat, outcome: Outcome, next: 'waiting' | 'done'): void {
    this.setSeat(seat, { kind: next });
    this.effects.push({ kind: 'attempt-ended', lease, outcome });
  }

  /** Ends the job for good, and with it all its leases. */
  finish(status: 'succeeded' | 'failed' | 'cancelled', reason: string, outcome: Outcome): void {
    for (const live of liveSeats(this.state)) this.vacate(live, outcome, 'done');
    this.set({
      seats: this.state.seats.map(() => ({ kind: 'done' }) as const),
      finishedAt: this.now,
      cancelBy: null,
      rounds: this.state.rounds && { ...this.state.rounds, sent: [], firstAt: null },
    });
    this.effects.push({ kind: 'rounds-covered', through: Number.MAX_SAFE_INTEGER });
    this.setStatus(status, reason);
  }
}

export const staleLease = (job: JobState, { fencing_token }: LeaseProof): Refusal => ({
  code: 'stale_lease',
  detail: TERMINAL.has(job.status)
    ? `The job has ${job.status}; its leases are over.`
    : `The lease with the fencing token ${fencing_token} has ended; the latest one is ${job.token}.`,
});
