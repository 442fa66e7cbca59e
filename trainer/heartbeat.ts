import type { JobProgress } from '../edge/training/contract/job.ts';
import type { MetricPoint } from '../edge/training/contract/job-event.ts';
import {
  type Heartbeat,
  HEARTBEAT_S,
  type HeartbeatAnswer,
  type Lease,
  type TrainerDevice,
} from '../edge/training/contract/trainer.ts';
import { backoffMs, isTransient, pause } from './backoff.ts';
import { isLost, isRefusal } from './job-failure.ts';
import type { FromJob, LogLine } from './job-messages.ts';
import type { TrainingClient } from './training-client.ts';

/** Limits of one heartbeat. */
const POINTS_PER_BEAT = 500;
const LINES_PER_BEAT = 50;
/** Limit of buffered points while the service is unavailable; beyond it they are thinned out. */
const MAX_POINTS = 4 * POINTS_PER_BEAT;

interface HeartbeatOptions {
  readonly client: Pick<TrainingClient, 'heartbeat'>;
  readonly lease: Lease;
  /** Free device memory and load of the machine. */
  readonly load: () => Promise<{ readonly device: TrainerDevice; readonly load: number }>;
  readonly answered: (answer: HeartbeatAnswer) => void;
  /** The service refuses this lease: the job has passed on. */
  readonly lost: () => void;
  /** The service refuses the trainer itself: its key was revoked, or may no longer train. */
  readonly refused: () => void;
}

interface LeaseHeartbeat {
  record(message: FromJob): void;
  /** Stops the heartbeat and waits for a pending one. */
  stop(): Promise<void>;
  /** Sends what is pending, within a time limit. */
  flush(withinMs: number): Promise<void>;
}

/**
 * Renews a lease every 2 s with the progress of the job, however busy the job is. It continues while the
 * service is unavailable; only a refusal ends the lease.
 */
export function startHeartbeat(options: HeartbeatOptions): LeaseHeartbeat {
  const { client, lease, load, answered, lost, refused } = options;
  const pending = createPending(lease.job.progress);
  const stopped = new AbortController();
  let early = new AbortController();
  const beat = async (): Promise<'accepted' | 'missed' | 'refused'> => {
    const sent = pending.take();
    const { lease_id, fencing_token } = lease;
    try {
      const body = { lease_id, fencing_token, ...sent, ...(await load()) };
      answered(await client.heartbeat(lease.job.job_id, body));
      return 'accepted';
    } catch (error) {
      pending.restore(sent);
      if (isRefusal(error)) refused();
      if (!isLost(error)) return isTransient(error) ? 'missed' : 'refused';
      stopped.abort();
      lost();
      return 'refused';
    }
  };
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      early = new AbortController();
      await beat();
      await pause(HEARTBEAT_S * 1000, AbortSignal.any([stopped.signal, early.signal]));
    }
  })();
  return {
    record(message) {
      pending.record(message);
      // Changes of the job's status are sent immediately.
      if (message.type === 'running') early.abort();
    },
    async stop() {
      stopped.abort();
      await loop;
    },
    async flush(withinMs) {
      const deadline = AbortSignal.timeout(withinMs);
      for (let missed = 0; !pending.isEmpty() && !deadline.aborted;) {
        const outcome = await beat();
        if (outcome === 'refused') return;
        if (outcome === 'missed') await pause(backoffMs(++missed), deadline);
      }
    },
  };
}

type Sent = Pick<Heartbeat, 'phase' | 'progress' | 'points' | 'messages' | 'effective'>;

/** Content of the next heartbeat. */
export function createPending(before: JobProgress) {
  let phase: Heartbeat['phase'] = 'validating';
  let progress = before;
  let points: MetricPoint[] = [];
  let lines: LogLine[] = [];
  let effective: Heartbeat['effective'];
  const keep = (more: readonly MetricPoint[]) => {
    points = [...points, ...more];
    if (points.length > MAX_POINTS) points = thinned(points);
  };
  return {
    isEmpty: () => points.length === 0 && lines.length === 0,
    record(message: FromJob) {
      if (message.type === 'said') lines.push(message.line);
      if (message.type === 'running') ({ effective } = message);
      if (message.type === 'running') phase = 'running';
      if (message.type === 'running' || message.type === 'advanced') ({ progress } = message);
      if (message.type === 'advanced') keep(message.points);
    },
    take(): Sent {
      const sent = {
        phase,
        progress,
        points: points.slice(0, POINTS_PER_BEAT),
        messages: lines.slice(0, LINES_PER_BEAT),
        ...(effective && { effective }),
      };
      points = points.slice(POINTS_PER_BEAT);
      lines = lines.slice(LINES_PER_BEAT);
      effective = undefined;
      return sent;
    },
    /** Unsent content goes first the next time. */
    restore(sent: Sent) {
      const later = points;
      points = [...sent.points];
      keep(later);
      lines = [...sent.messages, ...lines].slice(-4 * LINES_PER_BEAT);
      effective ??= sent.effective;
    },
  };
}

/** Every other point, the last one, and those of validations: they preserve the shape of the curve. */
function thinned(points: readonly MetricPoint[]): MetricPoint[] {
  const isRetained = (i: number) => (points.length - 1 - i) % 2 === 0;
  return points.filter(({ valid_loss }, i) => valid_loss !== null || isRetained(i));
}
