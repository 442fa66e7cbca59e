import { CANCEL_S, type HeartbeatAnswer, type Lease } from '../edge/training/contract/trainer.ts';
import { retry } from './backoff.ts';
import type { JobPort, TrainerEnvironment } from './environment.ts';
import { startHeartbeat } from './heartbeat.ts';
import { isLost, JobFailure, jobErrorOf } from './job-failure.ts';
import type { EarlyEnd, FromJob, JobEnd, Services } from './job-messages.ts';
import type { TrainingClient } from './training-client.ts';
import { advancedState, beginningState, type TrainerState } from './trainer-state.ts';

interface LeasedJobOptions {
  readonly lease: Lease;
  readonly client: TrainingClient;
  readonly services: Services;
  readonly environment: TrainerEnvironment;
  readonly onState: (state: TrainerState) => void;
}

/** A leased job that runs in its own process or worker. */
export interface LeasedJob {
  /** Settles when the lease has ended. @throws ProblemError where the service refuses the trainer */
  readonly over: Promise<void>;
  /** Requests an early end with a checkpoint; terminated after a time limit. */
  end(how: EarlyEnd): void;
}

/** Time limit of reporting the end of a lease to a service that does not respond. */
const END_REPORT_MS = 10 * 60_000;
const URGENT_REPORT_MS = 5000;

/** Runs a leased job in isolation and reports its progress and end to the service. */
export function runLease(options: LeasedJobOptions): LeasedJob {
  const { lease, client, services, environment, onState } = options;
  const ended = Promise.withResolvers<JobEnd>();
  const early = createEarlyEnd((message) => port.send(message), ended.resolve);
  let state = beginningState(lease);
  const show = (next: typeof state) => {
    state = next;
    onState({ status: 'training', job: state });
  };
  const heartbeat = startHeartbeat({
    client,
    lease,
    load: async () => {
      const { device, load } = await environment.facts();
      return { device, load };
    },
    answered: ({ cancel }: HeartbeatAnswer) => {
      if (cancel === 'checkpoint') early.request('cancelled');
      if (cancel === 'stop') ended.resolve({ outcome: 'cancelled' });
    },
    lost: () => ended.resolve({ outcome: 'lost' }),
    refused: () => early.request('released'),
  });
  const record = (message: FromJob) => {
    heartbeat.record(message);
    if (message.type === 'ended') ended.resolve(message.end);
    else show(advancedState(state, message));
  };
  const port = openPort(environment, record, ended.resolve);
  show(state);
  port.send({ type: 'start', lease, services });
  const over = ended.promise.then(async (end) => {
    show({ ...state, phase: 'ending' });
    early.settled();
    await heartbeat.stop();
    port.close();
    if (end.outcome === 'lost') return;
    const withinMs = early.isRequested() ? URGENT_REPORT_MS : END_REPORT_MS;
    await heartbeat.flush(withinMs);
    await reportEnd(client, lease, end, withinMs);
  });
  return { over, end: (how) => early.request(how) };
}

function openPort(
  environment: TrainerEnvironment,
  record: (message: FromJob) => void,
  resolve: (end: JobEnd) => void,
): JobPort {
  const port = environment.startJob();
  port.listen(record, (reason, wasKilled = false) => {
    const code = wasKilled ? 'worker_lost' : 'runtime_error';
    resolve({ outcome: 'failed', error: jobErrorOf(new JobFailure(code, reason, true)) });
  });
  return port;
}

/** Requests an early end, once, and enforces it. */
function createEarlyEnd(send: JobPort['send'], resolve: (end: JobEnd) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    isRequested: () => timer !== undefined,
    settled: () => clearTimeout(timer),
    request(how: EarlyEnd) {
      if (timer !== undefined) return;
      send({ type: 'end', how });
      const reason = 'the trainer stopped before a last checkpoint was written';
      const end: JobEnd =
        how === 'cancelled' ? { outcome: 'cancelled' } : { outcome: 'released', reason };
      timer = setTimeout(() => resolve(end), CANCEL_S * 1000);
    },
  };
}

/** Ends the lease. A lease that has passed on needs no end, and no report of a failure. */
async function reportEnd(
  client: TrainingClient,
  { job, lease_id, fencing_token }: Lease,
  end: Exclude<JobEnd, { outcome: 'lost' }>,
  withinMs: number,
): Promise<void> {
  const body = { lease_id, fencing_token, ...end };
  const retryOptions = { signal: AbortSignal.timeout(withinMs) };
  try {
    await retry(() => client.endLease(job.job_id, body), retryOptions);
  } catch (error) {
    if (!isLost(error) && !retryOptions.signal.aborted) throw error;
  }
}
