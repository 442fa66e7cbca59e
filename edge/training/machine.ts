import type { JobProgress } from './contract/job.ts';
import { CANCEL_S, CONFIRM_S, type LeaseEnd } from './contract/trainer.ts';
import { JobChange, staleLease } from './job-change.ts';
import { requeue, leaseEnd, extendLeases, applyTime } from './lease-expiry.ts';
import { closeWhenDue, contribute, coverRounds, roundDeadline } from './rounds.ts';
import {
  type JobReport,
  type Command,
  type JobState,
  type LiveSeat,
  liveSeats,
  type Refusal,
  type Transition,
} from './state.ts';

/**
 *   queued --lease--> validating --running reported--> running --completed--> succeeded
 *     ^                  |                             |  ^ |--failed------> failed
 *     |----released------|                        lost |  | running reported
 *                                             released v  |
 *                                                  recovering (failed worker_lost, too often)
 *
 *   cancel: queued, validating, recovering -> cancelled; running -> cancelling -> cancelled
 *   (by the last checkpoint, or after 30 s). A job with several seats recovers once none is held.
 */
export function transition(state: JobState, command: Command, now: number): Transition {
  const change = new JobChange(state, now);
  if (command.kind === 'restart') extendLeases(change);
  applyTime(change);
  const refusal = applyCommand(change, command);
  return { state: change.state, effects: change.effects, refusal };
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

function applyCommand(change: JobChange, command: Command): Refusal | null {
  switch (command.kind) {
    case 'tick':
    case 'restart':
      return null;
    case 'lease':
      return grantLease(change, command);
    case 'cancel':
      return cancel(change);
    case 'leave':
      return leave(change, command.trainerId);
    default:
      return withLease(change, command);
  }
}

type Proven = Extract<Command, { kind: 'heartbeat' | 'commit' | 'end' | 'contribute' }>;

/** A command from a trainer without the current lease changes nothing. */
function withLease(change: JobChange, command: Proven): Refusal | null {
  const proof = command.kind === 'end' ? command.end : command.proof;
  const holder = change.holder(proof);
  if (!holder) return staleLease(change.state, proof);
  switch (command.kind) {
    case 'heartbeat':
      heartbeat(change, holder, command.report);
      return null;
    case 'commit':
      commit(change, command);
      return null;
    case 'contribute':
      return contribute(change, holder, command.delta);
    case 'end':
      end(change, holder, command.end);
      return null;
  }
}

function grantLease(change: JobChange, given: Extract<Command, { kind: 'lease' }>): Refusal | null {
  const seat = change.state.seats.findIndex(({ kind }) => kind === 'waiting');
  const { status, checkpoint } = change.state;
  if (change.isOver || seat < 0 || status === 'cancelling') {
    return { code: 'stale_lease', detail: 'No seat of the job waits for a trainer.' };
  }
  const token = change.state.token + 1;
  const fromStep = checkpoint?.step ?? 0;
  const taken = {
    leaseId: given.leaseId,
    token,
    trainerId: given.trainerId,
    trainerName: given.trainerName,
    fromStep,
    lastStep: fromStep,
    startedAt: change.now,
    heartbeatAt: change.now,
    expiresAt: change.now + CONFIRM_S * 1000,
    isHeard: false,
  };
  change.set({ token });
  change.setSeat(seat, { kind: 'live', lease: taken });
  if (liveSeats(change.state)[0]?.seat === seat) change.set({ device: given.device });
  change.effects.push({ kind: 'attempt-begun', seat, lease: taken });
  const what = change.state.seats.length > 1 ? `seat ${seat}` : 'the job';
  change.log('info', 'job.lease', `${given.trainerName} takes ${what}, from step ${fromStep}`, {
    seat,
    attempt: token,
    trainer_id: given.trainerId,
    from_step: fromStep,
  });
  if (status === 'queued')
    change.setStatus('validating', `${given.trainerName} validates its dataset`);
  return null;
}

function heartbeat(change: JobChange, { seat, lease }: LiveSeat, report: JobReport): void {
  const { progress, phase, metrics } = report;
  change.renew(seat, lease, {
    lastStep: progress.step,
    heartbeatAt: change.now,
    expiresAt: leaseEnd(change),
    isHeard: true,
  });
  change.set({ effective: change.state.effective ?? report.effective, unheard: 0 });
  if (liveSeats(change.state)[0]?.seat === seat) {
    advance(change, progress);
    change.set({ metrics: { ...change.state.metrics, ...metrics } });
  }
  if (phase !== 'running') return;
  change.set({ startedAt: change.state.startedAt ?? change.now });
  const { status } = change.state;
  if (status === 'validating' || status === 'recovering') {
    change.setStatus('running', `${lease.trainerName} trains it`);
  }
}

/** A report may have been sent before a checkpoint arrived: progress never falls behind the checkpoint. */
function advance(change: JobChange, progress: JobProgress): void {
  if (progress.step >= (change.state.checkpoint?.step ?? 0)) change.set({ progress });
}

function commit(
  change: JobChange,
  { checkpoint, epoch }: Extract<Command, { kind: 'commit' }>,
): void {
  const before = change.state.checkpoint;
  const isNewer =
    !before ||
    checkpoint.round > before.round ||
    (checkpoint.round === before.round && checkpoint.step >= before.step);
  const { id, step } = checkpoint;
  if (isNewer) change.set({ checkpoint, progress: progressAt(step, epoch, change.state.progress) });
  change.log('info', 'job.checkpoint', `checkpoint at step ${step}`, { checkpoint_id: id, step });
  coverRounds(change);
}

/** A checkpoint may be ahead of the reported progress: its step is reached. */
function progressAt(step: number, epoch: number, progress: JobProgress): JobProgress {
  if (step <= progress.step) return progress;
  const { total_steps, percent } = progress;
  const reached = total_steps === null ? percent : (100 * step) / total_steps;
  return { ...progress, step, epoch, percent: reached };
}

function end(change: JobChange, holder: LiveSeat, ended: LeaseEnd): void {
  const isLeader = liveSeats(change.state)[0]?.seat === holder.seat;
  if (change.state.cancelBy !== null) return endCancelling(change, holder, { ended, isLeader });
  switch (ended.outcome) {
    case 'completed':
      if (!isLeader) return finishSeat(change, holder);
      advance(change, ended.progress);
      change.set({ model: ended.model, verdict: ended.verdict ?? null });
      return change.finish('succeeded', '', 'completed');
    case 'failed':
      return fail(change, holder, ended.error);
    case 'cancelled':
      return release(change, holder, 'its trainer stopped');
    case 'released':
      return release(change, holder, ended.reason);
  }
}

/** However the leader ends while a job is being cancelled: it is cancelled then. */
function endCancelling(
  change: JobChange,
  holder: LiveSeat,
  { ended, isLeader }: { readonly ended: LeaseEnd; readonly isLeader: boolean },
): void {
  if (ended.outcome === 'completed' && isLeader) {
    advance(change, ended.progress);
    change.set({ model: ended.model, verdict: ended.verdict ?? null });
  }
  const reason = ended.outcome === 'failed' ? ended.error.message : 'as it was requested to';
  change.vacate(holder, ended.outcome, 'done');
  if (isLeader || liveSeats(change.state).length === 0) {
    change.finish('cancelled', reason, 'cancelled');
  }
}

function finishSeat(change: JobChange, holder: LiveSeat): void {
  const { seat, lease } = holder;
  change.vacate(holder, 'completed', 'done');
  change.log('info', 'job.lease', `${lease.trainerName} is done with seat ${seat}`, { seat });
  closeWhenDue(change);
}

function fail(change: JobChange, holder: LiveSeat, error: NonNullable<JobState['error']>): void {
  const { plan, recoveries } = change.state;
  const isWorthIt = error.code === 'worker_lost' || (plan.replicas > 1 && error.retryable);
  const mayGoOn = isWorthIt && recoveries < plan.maxRecoveries;
  change.vacate(holder, 'failed', mayGoOn ? 'waiting' : 'done');
  if (!mayGoOn) {
    change.set({ error });
    return change.finish('failed', error.message, 'cancelled');
  }
  const { seat, lease } = holder;
  change.set({ recoveries: recoveries + 1 });
  change.log('warn', 'job.lease', `${lease.trainerName} failed at seat ${seat}: ${error.message}`, {
    seat,
    code: error.code,
  });
  requeue(change, error.message);
}

function release(change: JobChange, holder: LiveSeat, reason: string): void {
  const { seat, lease } = holder;
  change.vacate(holder, 'released', 'waiting');
  change.log('info', 'job.lease', `${lease.trainerName} releases it: ${reason}`, {
    seat,
    attempt: lease.token,
  });
  requeue(change, reason);
}

function leave(change: JobChange, trainerId: string): null {
  for (const live of liveSeats(change.state)) {
    if (live.lease.trainerId === trainerId && !change.isOver) {
      release(change, live, 'its trainer went away');
    }
  }
  return null;
}

function cancel(change: JobChange): Refusal | null {
  const { status } = change.state;
  if (status === 'cancelled' || status === 'cancelling') return null;
  if (change.isOver) return { code: 'job_terminal', detail: `The job has ${status} already.` };
  if (status !== 'running') {
    change.finish('cancelled', 'before it ran', 'cancelled');
    return null;
  }
  change.set({ cancelBy: change.now + CANCEL_S * 1000 });
  change.setStatus('cancelling', 'its trainer writes a last checkpoint');
  return null;
}
