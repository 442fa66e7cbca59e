import { CANCEL_S, CONFIRM_S, LEASE_S } from './contract/trainer.ts';
import type { Draft } from './draft.ts';
import { closeWhenDue } from './rounds.ts';
import { type JobState, type LiveSeat, liveSeats, type SeatLease } from './state.ts';

/** A lease found so long after its end was not let lapse by its trainer: nobody was here to listen. */
const AWAY_MS = 10_000;
/** A trainer that was gone when it was given a job cost the job nothing; one that dies of it would, each time. */
const MOST_UNHEARD = 5;

/** What time alone does to a job: leases lapse, cancellations are forced, rounds close. */
export function tick(draft: Draft): void {
  if (draft.isOver) return;
  const { cancelBy } = draft.state;
  if (cancelBy !== null && draft.now >= cancelBy) {
    const reason = `its trainer left no last checkpoint within ${CANCEL_S} s`;
    return draft.finish('cancelled', reason, 'cancelled');
  }
  const lapsed = liveSeats(draft.state).filter(({ lease }) => lease.expiresAt <= draft.now);
  const lost = lapsed.filter((live) => !isOursToBlame(draft, live));
  for (const { seat, lease } of lapsed) draft.renew(seat, lease, { expiresAt: leaseEnd(draft) });
  for (const live of lost) lose(draft, live);
  if (lost.length > 0) recover(draft, lost);
  if (!draft.isOver) closeWhenDue(draft);
}

/**
 * The service has just started, and whoever beat meanwhile was not heard: each lease gets its time
 * anew, once between two beats, so that an object that is started again and again keeps no lost job.
 */
export function spare(draft: Draft): void {
  if (draft.isOver) return;
  const { seats } = draft.state;
  // Nobody has to see it: the job is what it was.
  draft.state = {
    ...draft.state,
    seats: seats.map((seat) => {
      if (seat.kind !== 'live' || wasSpared(seat.lease)) return seat;
      const expiresAt = Math.max(seat.lease.expiresAt, leaseEnd(draft));
      return { ...seat, lease: { ...seat.lease, expiresAt } };
    }),
  };
}

const wasSpared = ({ expiresAt, heartbeatAt }: SeatLease) =>
  expiresAt > heartbeatAt + LEASE_S * 1000;

const isOursToBlame = ({ now }: Draft, { lease }: LiveSeat) => now - lease.expiresAt > AWAY_MS;

export const leaseEnd = ({ now }: Draft) => now + LEASE_S * 1000;

function lose(draft: Draft, live: LiveSeat): void {
  const { lease, seat } = live;
  draft.vacate(live, 'lost', 'waiting');
  draft.say(
    'warn',
    'job.lease',
    lease.isHeard
      ? `${lease.trainerName} was not heard of for ${LEASE_S} s; it had told of step ${lease.lastStep}`
      : `${lease.trainerName} did not say within ${CONFIRM_S} s that it has it`,
    { seat, attempt: lease.token, trainer_id: lease.trainerId },
  );
}

/** What becomes of a job whose trainers were lost. */
function recover(draft: Draft, lost: readonly LiveSeat[]): void {
  if (liveSeats(draft.state).length > 0) return;
  const { recoveries, plan, cancelBy, unheard } = draft.state;
  const names = lost.map(({ lease }) => lease.trainerName).join(', ');
  if (cancelBy !== null) return draft.finish('cancelled', `${names} was lost`, 'lost');
  if (lost.every(({ lease }) => !lease.isHeard) && unheard < MOST_UNHEARD) {
    draft.set({ unheard: unheard + 1 });
    return goOnElsewhere(draft, `${names} never said that it has it`);
  }
  if (recoveries < plan.maxRecoveries) {
    draft.set({ recoveries: recoveries + 1 });
    return draft.become('recovering', `${names} was lost${goesOnFrom(draft.state)}`);
  }
  const message = `${names} was lost after ${recoveries} recoveries, the most it may have`;
  draft.set({ error: { code: 'worker_lost', message, retryable: true } });
  draft.finish('failed', message, 'lost');
}

const goesOnFrom = ({ checkpoint }: JobState) =>
  checkpoint ? `; it goes on from step ${checkpoint.step}` : '; it begins anew';

/** A seat is free again through nobody's silence. */
export function goOnElsewhere(draft: Draft, reason: string): void {
  if (liveSeats(draft.state).length > 0) return closeWhenDue(draft);
  const { startedAt, cancelBy } = draft.state;
  if (cancelBy !== null) return draft.finish('cancelled', reason, 'cancelled');
  draft.become(startedAt === null ? 'queued' : 'recovering', reason);
}
