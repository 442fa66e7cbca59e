import type { Round } from './contract/round.ts';
import type { Draft } from './draft.ts';
import {
  type JobState,
  liveSeats,
  type LiveSeat,
  type NewDelta,
  type Refusal,
  type RoundsRun,
  type SentDelta,
} from './state.ts';

/** Closed rounds that stay although a checkpoint holds them, for members that are about to read them. */
const KEPT_ROUNDS = 2;

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

/** When the round is closed without those that are late; undefined before the first delta. */
export function roundDeadline({ rounds, plan }: JobState): number | undefined {
  if (!rounds || rounds.firstAt === null || !plan.distributed) return undefined;
  return rounds.firstAt + plan.distributed.straggler_timeout_s * 1000;
}

/** Takes what a member learned in the round under way; a repeat changes nothing. */
export function contribute(draft: Draft, holder: LiveSeat, delta: NewDelta): Refusal | null {
  const { rounds } = draft.state;
  if (!rounds) return staleRound('The job has one replica: it has no rounds.');
  if (delta.round !== rounds.round) {
    return staleRound(`Round ${delta.round} is not under way: round ${rounds.round} is.`);
  }
  const { seat, lease } = holder;
  if (rounds.sent.some((sent) => sent.token === lease.token)) return null;
  const isLeader = liveSeats(draft.state)[0]?.seat === seat;
  const others = rounds.sent.filter(({ contribution }) => contribution.seat !== seat);
  const [agreed] = others;
  const differs = agreed !== undefined && agreed.baseDigest !== delta.baseDigest;
  if (differs && !isLeader) {
    return staleRound(`Round ${delta.round} starts from ${agreed.baseDigest}.`);
  }
  // The leader's parameters are those of the checkpoints: who started from others has to load one.
  const kept = others.filter(({ baseDigest }) => baseDigest === delta.baseDigest);
  if (differs) tellDropped(draft, others);
  const contribution = { ...delta.contribution, seat, trainer_id: lease.trainerId };
  const sent = [...kept, { contribution, baseDigest: delta.baseDigest, token: lease.token }];
  draft.set({ rounds: { ...rounds, sent, firstAt: rounds.firstAt ?? draft.now } });
  closeWhenDue(draft);
  return null;
}

function tellDropped(draft: Draft, dropped: readonly SentDelta[]): void {
  const seats = dropped.map(({ contribution }) => contribution.seat);
  draft.say(
    'warn',
    'job.round',
    `round ${draft.state.rounds?.round}: seats ${seats.join(', ')} started from other parameters than the leader`,
    { seats },
  );
}

/**
 * Closes the round once all members that were there at its first delta have sent theirs, or its
 * time is over.
 */
export function closeWhenDue(draft: Draft): void {
  const { rounds } = draft.state;
  const deadline = roundDeadline(draft.state);
  if (!rounds || deadline === undefined || rounds.firstAt === null) return;
  const { firstAt } = rounds;
  const isIn = (seat: number) => rounds.sent.some(({ contribution }) => contribution.seat === seat);
  const awaited = liveSeats(draft.state).filter(
    ({ seat, lease }) => lease.startedAt <= firstAt && !isIn(seat),
  );
  if (awaited.length > 0 && draft.now < deadline) return;
  close(draft, rounds);
}

function close(draft: Draft, rounds: RoundsRun): void {
  const contributions = rounds.sent
    .map(({ contribution }) => contribution)
    .toSorted((a, b) => a.seat - b.seat);
  const { round } = rounds;
  const sentBytes = contributions.reduce((sum, { delta }) => sum + delta.size_bytes, 0);
  const float32 = sentBytes * (draft.state.plan.distributed?.quantisation === 'int8' ? 4 : 1);
  const members = liveSeats(draft.state).length;
  draft.effects.push({ kind: 'round-closed', closed: { round, contributions } });
  draft.set({
    rounds: {
      round: round + 1,
      sent: [],
      firstAt: null,
      bytesSent: rounds.bytesSent + sentBytes,
      bytesFloat32: rounds.bytesFloat32 + float32,
    },
  });
  draft.say(
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

/** A checkpoint makes the rounds it holds superfluous, but for those that members may be reading. */
export function coverRounds(draft: Draft): void {
  const { rounds, checkpoint } = draft.state;
  if (!rounds || !checkpoint) return;
  const through = Math.min(checkpoint.round, rounds.round - 1 - KEPT_ROUNDS);
  draft.effects.push({ kind: 'rounds-covered', through });
}

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

const staleRound = (detail: string): Refusal => ({ code: 'stale_round', detail });
