import type { Round } from './contract/round.ts';
import type { JobChange } from './job-change.ts';
import {
  type JobState,
  type LiveSeat,
  liveSeats,
  type NewDelta,
  type Refusal,
  type RoundsRun,
  type SentDelta,
} from './state.ts';

/** Closed rounds that stay although a checkpoint holds them, for members that are about to read them. */
const COVERED_ROUNDS = 2;

/** The round under way as members see it; null where the job has one seat. */
export function roundOf(state: JobState): Round | null {
  if (!state.rounds) return null;
  const seats = liveSeats(state).map(({ seat }) => seat);
  return {
    round: state.rounds.round,
    seats: [...seats],
    leader: seats[0] ?? 0,
    checkpoint_round: state.checkpoint?.round ?? 0,
  };
}

/** When the round closes without the missing members; undefined before the first delta. */
export function roundDeadline({ rounds, plan }: JobState): number | undefined {
  if (!rounds || rounds.firstAt === null || !plan.distributed) return undefined;
  return rounds.firstAt + plan.distributed.straggler_timeout_s * 1000;
}

/** Takes what a member learned in the round under way; a repeat changes nothing. */
export function contribute(change: JobChange, holder: LiveSeat, delta: NewDelta): Refusal | null {
  const { rounds } = change.state;
  if (!rounds) return staleRound('The job has one replica: it has no rounds.');
  if (delta.round !== rounds.round) {
    return staleRound(`Round ${delta.round} is not under way: round ${rounds.round} is.`);
  }
  const { seat, lease } = holder;
  if (rounds.sent.some((sent) => sent.token === lease.token)) return null;
  const isLeader = liveSeats(change.state)[0]?.seat === seat;
  const others = rounds.sent.filter(({ contribution }) => contribution.seat !== seat);
  const [agreed] = others;
  const differs = agreed !== undefined && agreed.baseDigest !== delta.baseDigest;
  if (differs && !isLeader) {
    return staleRound(`Round ${delta.round} starts from ${agreed.baseDigest}.`);
  }
  // The leader's parameters are those of the checkpoints: who started from others has to load one.
  const agreeing = others.filter(({ baseDigest }) => baseDigest === delta.baseDigest);
  if (differs) logDropped(change, others);
  const contribution = { ...delta.contribution, seat, trainer_id: lease.trainerId };
  const sent = [...agreeing, { contribution, baseDigest: delta.baseDigest, token: lease.token }];
  change.set({ rounds: { ...rounds, sent, firstAt: rounds.firstAt ?? change.now } });
  closeWhenDue(change);
  return null;
}

function logDropped(change: JobChange, dropped: readonly SentDelta[]): void {
  const seats = dropped.map(({ contribution }) => contribution.seat);
  change.log(
    'warn',
    'job.round',
    `round ${change.state.rounds?.round}: seats ${seats.join(', ')} started from other parameters than the leader`,
    { seats },
  );
}

/**
 * Closes the round once all members that were there at its first delta have sent theirs, or its
 * time is over.
 */
export function closeWhenDue(change: JobChange): void {
  const { rounds } = change.state;
  const deadline = roundDeadline(change.state);
  if (!rounds || deadline === undefined || rounds.firstAt === null) return;
  const { firstAt } = rounds;
  const isIn = (seat: number) => rounds.sent.some(({ contribution }) => contribution.seat === seat);
  const awaited = liveSeats(change.state).filter(
    ({ seat, lease }) => lease.startedAt <= firstAt && !isIn(seat),
  );
  if (awaited.length > 0 && change.now < deadline) return;
  close(change, rounds);
}

function close(change: JobChange, rounds: RoundsRun): void {
  const contributions = rounds.sent
    .map(({ contribution }) => contribution)
    .toSorted((a, b) => a.seat - b.seat);
  const { round } = rounds;
  const sentBytes = contributions.reduce((sum, { delta }) => sum + delta.size_bytes, 0);
  const float32 = sentBytes * (change.state.plan.distributed?.quantisation === 'int8' ? 4 : 1);
  const members = liveSeats(change.state).length;
  change.effects.push({ kind: 'round-closed', closed: { round, contributions } });
  change.set({
    rounds: {
      round: round + 1,
      sent: [],
      firstAt: null,
      bytesSent: rounds.bytesSent + sentBytes,
      bytesFloat32: rounds.bytesFloat32 + float32,
    },
  });
  change.log(
    'info',
    'job.round',
    `round ${round}: ${contributions.length} of ${Math.max(members, contributions.length)} members, ${kilobytes(sentBytes)} sent instead of ${kilobytes(float32)}`,
    {
      round,
      seats: contributions.map(({ seat }) => seat),
      bytes_sent: sentBytes,
      bytes_float32: float32,
    },
  );
}

/**
 * A checkpoint supersedes the rounds it covers; a few are retained for members that may be reading them.
 */
export function coverRounds(change: JobChange): void {
  const { rounds, checkpoint } = change.state;
  if (!rounds || !checkpoint) return;
  const through = Math.min(checkpoint.round, rounds.round - 1 - COVERED_ROUNDS);
  change.effects.push({ kind: 'rounds-covered', through });
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

const staleRound = (detail: string): Refusal => ({ code: 'stale_round', detail });
