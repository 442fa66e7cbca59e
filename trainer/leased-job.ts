import { CANCEL_S, type HeartbeatAnswer, type Lease } from '../edge/contract/training/trainer.ts';
import { retry } from './backoff.ts';
import type { JobPort, TrainerEnvironment } from './environment.ts';
import { startHeart } from './heartbeat.ts';
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
const LAST_WORD_MS = 10 * 60_000;
const HURRIED_LAST_WORD_MS = 5000;
/** Time limit of a last checkpoint that the service no longer waits for. */
const REFUSED_MS = 2000;

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
  const heart = startHeart({
    client,
    lease,
    load: async () => {
      const { device, load } = await environment.facts();
      return { device, load };
    },
    answered: ({ cancel }: HeartbeatAnswer) => {
      if (cancel === 'checkpoint') early.ask('cancelled');
      if (cancel === 'stop') ended.resolve({ outcome: 'cancelled' });
    },
    lost: () => ended.resolve({ outcome: 'lost' }),
    refused: () => early.ask('released', REFUSED_MS),
  });
  const hear = (message: FromJob) => {
    heart.hear(message);
    if (message.type === 'ended') ended.resolve(message.end);
    else show(advancedState(state, message));
  };
  const port = openPort(environment, hear, ended.resolve);
  show(state);
  port.send({ type: 'start', lease, services });
  const over = ended.promise.then(async (end) => {
    show({ ...state, phase: 'ending' });
    early.settled();
    await heart.stop();
    port.close();
    if (end.outcome === 'lost') return;
    const withinMs = early.isAsked() ? HURRIED_LAST_WORD_MS : LAST_WORD_MS;
    await heart.flush(withinMs);
    await tellEnd(client, lease, end, withinMs);
  });
  return { over, end: (how) => early.ask(how) };
}

function openPort(
  environment: TrainerEnvironment,
  hear: (message: FromJob) => void,
  resolve: (end: JobEnd) => void,
): JobPort {
  const port = environment.startJob();
  port.listen(hear, (reason, wasKilled = false) => {
    const code = wasKilled ? 'worker_lost' : 'runtime_error';
    resolve({ outcome: 'failed', error: jobErrorOf(new JobFailure(code, reason, true)) });
  });
  return port;
}

/** Requests an early end, once, and enforces it. */
function createEarlyEnd(send: JobPort['send'], resolve: (end: JobEnd) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    isAsked: () => timer !== undefined,
    settled: () => clearTimeout(timer),
    ask(how: EarlyEnd, withinMs = CANCEL_S * 1000) {
      if (timer !== undefined) return;
      send({ type: 'end', how });
      const reason = 'the trainer stopped before a last checkpoint was written';
      const end: JobEnd =
        how === 'cancelled' ? { outcome: 'cancelled' } : { outcome: 'released', reason };
      timer = setTimeout(() => resolve(end), withinMs);
    },
  };
}

/** Ends the lease. A lease that has passed on needs no end, and no report of a failure. */
async function tellEnd(
  client: TrainingClient,
  { job, lease_id, fencing_token }: Lease,
  end: Exclude<JobEnd, { outcome: 'lost' }>,
  withinMs: number,
): Promise<void> {
  const body = { lease_id, fencing_token, ...end };
  const persistence = { signal: AbortSignal.timeout(withinMs) };
  try {
    await retry(() => client.endLease(job.job_id, body), persistence);
  } catch (error) {
    if (!isLost(error) && !persistence.signal.aborted) throw error;
  }
}
