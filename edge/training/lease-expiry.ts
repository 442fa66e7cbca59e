import { CANCEL_S, CONFIRM_S, LEASE_S } from './contract/trainer.ts';
import type { JobChange } from './job-change.ts';
import { closeWhenDue } from './rounds.ts';
import { type JobState, type LiveSeat, liveSeats, type SeatLease } from './state.ts';

/** A lease that expired longer ago than this did so while the service was down. */
const DOWNTIME_MS = 10_000;
/**
 * A trainer that never confirmed its lease cost the job nothing; a job that kills its trainers would do so
 * each time.
 */
const MAX_UNCONFIRMED = 5;

/** Applies the effects of time: leases expire, cancellations are forced, rounds close. */
export function applyTime(change: JobChange): void {
  if (change.isOver) return;
  const { cancelBy } = change.state;
  if (cancelBy !== null && change.now >= cancelBy) {
    const reason = `its trainer left no last checkpoint within ${CANCEL_S} s`;
    return change.finish('cancelled', reason, 'cancelled');
  }
  const lapsed = liveSeats(change.state).filter(({ lease }) => lease.expiresAt <= change.now);
  const lost = lapsed.filter((live) => !isFromDowntime(change, live));
  for (const { seat, lease } of lapsed) change.renew(seat, lease, { expiresAt: leaseEnd(change) });
  for (const live of lost) endLost(change, live);
  if (lost.length > 0) recover(change, lost);
  if (!change.isOver) closeWhenDue(change);
}

/**
 * Extends each lease once after a start of the service, as heartbeats were missed meanwhile. At most once
 * between two heartbeats, so that frequent restarts do not keep a lost job alive.
 */
export function extendLeases(change: JobChange): void {
  if (change.isOver) return;
  const { seats } = change.state;
  // Nobody has to see it: the job is what it was.
  change.state = {
    ...change.state,
    seats: seats.map((seat) => {
      if (seat.kind !== 'live' || wasExtended(seat.lease)) return seat;
      const expiresAt = Math.max(seat.lease.expiresAt, leaseEnd(change));
      return { ...seat, lease: { ...seat.lease, expiresAt } };
    }),
  };
}

const wasExtended = ({ expiresAt, heartbeatAt }: SeatLease) =>
  expiresAt > heartbeatAt + LEASE_S * 1000;

const isFromDowntime = ({ now }: JobChange, { lease }: LiveSeat) =>
  now - lease.expiresAt > DOWNTIME_MS;

export const leaseEnd = ({ now }: JobChange) => now + LEASE_S * 1000;

function endLost(change: JobChange, live: LiveSeat): void {
  const { lease, seat } = live;
  change.vacate(live, 'lost', 'waiting');
  change.log(
    'warn',
    'job.lease',
    lease.isHeard
      ? `${lease.trainerName} sent no heartbeat for ${LEASE_S} s; it had reported step ${lease.lastStep}`
      : `${lease.trainerName} did not log within ${CONFIRM_S} s that it has it`,
    { seat, attempt: lease.token, trainer_id: lease.trainerId },
  );
}

/** Decides about a job whose trainers were lost. */
function recover(change: JobChange, lost: readonly LiveSeat[]): void {
  if (liveSeats(change.state).length > 0) return;
  const { recoveries, plan, cancelBy, unheard } = change.state;
  const names = lost.map(({ lease }) => lease.trainerName).join(', ');
  if (cancelBy !== null) return change.finish('cancelled', `${names} was lost`, 'lost');
  if (lost.every(({ lease }) => !lease.isHeard) && unheard < MAX_UNCONFIRMED) {
    change.set({ unheard: unheard + 1 });
    return requeue(change, `${names} never confirmed the lease`);
  }
  if (recoveries < plan.maxRecoveries) {
    change.set({ recoveries: recoveries + 1 });
    return change.setStatus('recovering', `${names} was lost${resumePoint(change.state)}`);
  }
  const message = `${names} was lost after ${recoveries} recoveries, the most it may have`;
  change.set({ error: { code: 'worker_lost', message, retryable: true } });
  change.finish('failed', message, 'lost');
}

const resumePoint = ({ checkpoint }: JobState) =>
  checkpoint ? `; it resumes from step ${checkpoint.step}` : '; it starts over';

/** Returns a job to the queue for a reason other than a lost trainer. */
export function requeue(change: JobChange, reason: string): void {
  if (liveSeats(change.state).length > 0) return closeWhenDue(change);
  const { startedAt, cancelBy } = change.state;
  if (cancelBy !== null) return change.finish('cancelled', reason, 'cancelled');
  change.setStatus(startedAt === null ? 'queued' : 'recovering', reason);
}
