import type { JobProgress } from './contract/job.ts';
import { CANCEL_S, CONFIRM_S, type LeaseEnd } from './contract/trainer.ts';
import { Draft, staleLease } from './draft.ts';
import { goOnElsewhere, leaseEnd, spare, tick } from './lapse.ts';
import { closeWhenDue, contribute, coverRounds, roundDeadline } from './rounds.ts';
import {
  type Beat,
  type Command,
  type JobState,
  type LiveSeat,
  liveSeats,
  type Refusal,
  type Transition,
} from './state.ts';

/**
 *   queued --lease--> validating --beat of running--> running --completed--> succeeded
 *     ^                  |                             |  ^ |--failed------> failed
 *     |----released------|                        lost |  | beat of running
 *                                             released v  |
 *                                                  recovering (failed worker_lost, too often)
 *
 *   cancel: queued, validating, recovering -> cancelled; running -> cancelling -> cancelled
 *   (by the last checkpoint, or after 30 s). A job with several seats recovers once none is held.
 */
export function transition(state: JobState, command: Command, now: number): Transition {
  const draft = new Draft(state, now);
  if (command.kind === 'restart') spare(draft);
  tick(draft);
  const refusal = carryOut(draft, command);
  return { state: draft.state, effects: draft.effects, refusal };
}

/** When time alone will change the job; undefined where it never does. */
export function dueAt(state: JobState): number | undefined {
  const times = [
    ...liveSeats(state).map(({ lease }) => lease.expiresAt),
    ...(state.cancelBy === null ? [] : [state.cancelBy]),
    roundDeadline(state) ?? Infinity,
  ];
  const next = Math.min(...times);
  return next === Infinity ? undefined : next;
}

function carryOut(draft: Draft, command: Command): Refusal | null {
  switch (command.kind) {
    case 'tick':
    case 'restart':
      return null;
    case 'lease':
      return handOut(draft, command);
    case 'cancel':
      return cancel(draft);
    case 'leave':
      return leave(draft, command.trainerId);
    default:
      return withLease(draft, command);
  }
}

type Proven = Extract<Command, { kind: 'heartbeat' | 'commit' | 'end' | 'contribute' }>;

/** Nothing is changed by whom the job was not given, or was taken from. */
function withLease(draft: Draft, command: Proven): Refusal | null {
  const proof = command.kind === 'end' ? command.end : command.proof;
  const holder = draft.holder(proof);
  if (!holder) return staleLease(draft.state, proof);
  switch (command.kind) {
    case 'heartbeat':
      heartbeat(draft, holder, command.beat);
      return null;
    case 'commit':
      commit(draft, command);
      return null;
    case 'contribute':
      return contribute(draft, holder, command.delta);
    case 'end':
      end(draft, holder, command.end);
      return null;
  }
}

function handOut(draft: Draft, given: Extract<Command, { kind: 'lease' }>): Refusal | null {
  const seat = draft.state.seats.findIndex(({ kind }) => kind === 'waiting');
  const { status, checkpoint } = draft.state;
  if (draft.isOver || seat < 0 || status === 'cancelling') {
    return { code: 'stale_lease', detail: 'No seat of the job waits for a trainer.' };
  }
  const token = draft.state.token + 1;
  const fromStep = checkpoint?.step ?? 0;
  const taken = {
    leaseId: given.leaseId,
    token,
    trainerId: given.trainerId,
    trainerName: given.trainerName,
    fromStep,
    lastStep: fromStep,
    startedAt: draft.now,
    heartbeatAt: draft.now,
    expiresAt: draft.now + CONFIRM_S * 1000,
    isHeard: false,
  };
  draft.set({ token });
  draft.setSeat(seat, { kind: 'live', lease: taken });
  if (liveSeats(draft.state)[0]?.seat === seat) draft.set({ device: given.device });
  draft.effects.push({ kind: 'attempt-begun', seat, lease: taken });
  const what = draft.state.seats.length > 1 ? `seat ${seat}` : 'the job';
  draft.say('info', 'job.lease', `${given.trainerName} takes ${what}, from step ${fromStep}`, {
    seat,
    attempt: token,
    trainer_id: given.trainerId,
    from_step: fromStep,
  });
  if (status === 'queued') draft.become('validating', `${given.trainerName} looks at its dataset`);
  return null;
}

function heartbeat(draft: Draft, { seat, lease }: LiveSeat, beat: Beat): void {
  const { progress, phase, metrics } = beat;
  draft.renew(seat, lease, {
    lastStep: progress.step,
    heartbeatAt: draft.now,
    expiresAt: leaseEnd(draft),
    isHeard: true,
  });
  draft.set({ effective: draft.state.effective ?? beat.effective, unheard: 0 });
  if (liveSeats(draft.state)[0]?.seat === seat) {
    advance(draft, progress);
    draft.set({ metrics: { ...draft.state.metrics, ...metrics } });
  }
  if (phase !== 'running') return;
  draft.set({ startedAt: draft.state.startedAt ?? draft.now });
  const { status } = draft.state;
  if (status === 'validating' || status === 'recovering') {
    draft.become('running', `${lease.trainerName} trains it`);
  }
}

/** What is told may have been on its way while a checkpoint came: nobody is behind what he has saved. */
function advance(draft: Draft, progress: JobProgress): void {
  if (progress.step >= (draft.state.checkpoint?.step ?? 0)) draft.set({ progress });
}

function commit(draft: Draft, { checkpoint, epoch }: Extract<Command, { kind: 'commit' }>): void {
  const before = draft.state.checkpoint;
  const isNewer =
    !before ||
    checkpoint.round > before.round ||
    (checkpoint.round === before.round && checkpoint.step >= before.step);
  const { id, step } = checkpoint;
  if (isNewer) draft.set({ checkpoint, progress: reaching(step, epoch, draft.state.progress) });
  draft.say('info', 'job.checkpoint', `checkpoint at step ${step}`, { checkpoint_id: id, step });
  coverRounds(draft);
}

/** A checkpoint may be ahead of what beats have told: its step is reached. */
function reaching(step: number, epoch: number, progress: JobProgress): JobProgress {
  if (step <= progress.step) return progress;
  const { total_steps, percent } = progress;
  const reached = total_steps === null ? percent : (100 * step) / total_steps;
  return { ...progress, step, epoch, percent: reached };
}

function end(draft: Draft, holder: LiveSeat, ended: LeaseEnd): void {
  const isLeader = liveSeats(draft.state)[0]?.seat === holder.seat;
  if (draft.state.cancelBy !== null) return endCancelling(draft, holder, { ended, isLeader });
  switch (ended.outcome) {
    case 'completed':
      if (!isLeader) return finishSeat(draft, holder);
      advance(draft, ended.progress);
      draft.set({ model: ended.model, verdict: ended.verdict ?? null });
      return draft.finish('succeeded', '', 'completed');
    case 'failed':
      return fail(draft, holder, ended.error);
    case 'cancelled':
      return release(draft, holder, 'its trainer gave it up');
    case 'released':
      return release(draft, holder, ended.reason);
  }
}

/** However the leader ends while a job is being cancelled: it is cancelled then. */
function endCancelling(
  draft: Draft,
  holder: LiveSeat,
  { ended, isLeader }: { readonly ended: LeaseEnd; readonly isLeader: boolean },
): void {
  if (ended.outcome === 'completed' && isLeader) {
    advance(draft, ended.progress);
    draft.set({ model: ended.model, verdict: ended.verdict ?? null });
  }
  const reason = ended.outcome === 'failed' ? ended.error.message : 'as it was asked to';
  draft.vacate(holder, ended.outcome, 'done');
  if (isLeader || liveSeats(draft.state).length === 0) {
    draft.finish('cancelled', reason, 'cancelled');
  }
}

function finishSeat(draft: Draft, holder: LiveSeat): void {
  const { seat, lease } = holder;
  draft.vacate(holder, 'completed', 'done');
  draft.say('info', 'job.lease', `${lease.trainerName} is done with seat ${seat}`, { seat });
  closeWhenDue(draft);
}

function fail(draft: Draft, holder: LiveSeat, error: NonNullable<JobState['error']>): void {
  const { plan, recoveries } = draft.state;
  const isWorthIt = error.code === 'worker_lost' || (plan.replicas > 1 && error.retryable);
  const mayGoOn = isWorthIt && recoveries < plan.maxRecoveries;
  draft.vacate(holder, 'failed', mayGoOn ? 'waiting' : 'done');
  if (!mayGoOn) {
    draft.set({ error });
    return draft.finish('failed', error.message, 'cancelled');
  }
  const { seat, lease } = holder;
  draft.set({ recoveries: recoveries + 1 });
  draft.say('warn', 'job.lease', `${lease.trainerName} failed at seat ${seat}: ${error.message}`, {
    seat,
    code: error.code,
  });
  goOnElsewhere(draft, error.message);
}

function release(draft: Draft, holder: LiveSeat, reason: string): void {
  const { seat, lease } = holder;
  draft.vacate(holder, 'released', 'waiting');
  draft.say('info', 'job.lease', `${lease.trainerName} gives it back: ${reason}`, {
    seat,
    attempt: lease.token,
  });
  goOnElsewhere(draft, reason);
}

function leave(draft: Draft, trainerId: string): null {
  for (const live of liveSeats(draft.state)) {
    if (live.lease.trainerId === trainerId && !draft.isOver) {
      release(draft, live, 'its trainer went away');
    }
  }
  return null;
}

function cancel(draft: Draft): Refusal | null {
  const { status } = draft.state;
  if (status === 'cancelled' || status === 'cancelling') return null;
  if (draft.isOver) return { code: 'job_terminal', detail: `The job has ${status} already.` };
  if (status !== 'running') {
    draft.finish('cancelled', 'before it was trained on', 'cancelled');
    return null;
  }
  draft.set({ cancelBy: draft.now + CANCEL_S * 1000 });
  draft.become('cancelling', 'its trainer writes a last checkpoint');
  return null;
}
