import { callEndpoint, openHttp } from '../edge/contract/client.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import { ownProblem } from '../edge/contract/refusal.ts';
import { TRAINER_SCOPES } from '../edge/contract/scope.ts';
import { sessionEndpoints } from '../edge/access/session-endpoints.ts';
import { backoffMs, isTransient, pause } from './backoff.ts';
import type { TrainerEnvironment } from './environment.ts';
import type { EarlyEnd, ServiceAddress, Services } from './job-messages.ts';
import { type LeasedJob, runLease } from './leased-job.ts';
import type { TrainerState } from './trainer-state.ts';
import { createTrainingClient, type TrainingClient } from './training-client.ts';

interface TrainerOptions {
  /** Its previous id; otherwise the service assigns one. */
  readonly trainerId?: string | undefined;
  readonly services: Services;
  readonly environment: TrainerEnvironment;
  readonly onState: (state: TrainerState) => void;
}

export interface Trainer {
  /** Given by the service with the first announcement. */
  id(): string | undefined;
  /** Settles when it has stopped. @throws ProblemError where it may not train */
  readonly ended: Promise<void>;
  /** Finishes the job it holds, then stops. */
  drain(): Promise<void>;
  /** Ends the current job with a checkpoint for other trainers, then stops. */
  stop(): Promise<void>;
}

/** How long one question for work is held open. */
const WAIT_S = 20;
/** Time limit of deregistration. */
const DEREGISTER_MS = 3000;

/**
 * Leases jobs one after another from the training service and runs each in isolation, until it is stopped.
 * It only makes outgoing calls; an unavailable service is waited for.
 */
export function createTrainer(options: TrainerOptions): Trainer {
  const { services, onState } = options;
  const client = createTrainingClient(services.training);
  const leaving = new AbortController();
  const session: TrainerSession = {
    options,
    client,
    leaving: leaving.signal,
    id: options.trainerId,
  };
  const ended = work(session).finally(async () => {
    if (session.id !== undefined) await deregister(client, session.id);
    onState({ status: 'stopped' });
  });
  // Callers may observe the refusal but need not.
  ended.catch(() => undefined);
  return {
    id: () => session.id,
    ended,
    drain() {
      leaving.abort();
      return ended;
    },
    stop() {
      session.how = 'released';
      leaving.abort();
      session.held?.end(session.how);
      return ended;
    },
  };
}

/** State of a trainer. */
interface TrainerSession {
  readonly options: TrainerOptions;
  readonly client: TrainingClient;
  readonly leaving: AbortSignal;
  id?: string | undefined;
  /** Whether its permission to train was checked. */
  mayTrain?: true;
  held?: LeasedJob | undefined;
  /** Set once the current job is to end early. */
  how?: EarlyEnd;
}

async function work(session: TrainerSession): Promise<void> {
  const { leaving, options } = session;
  options.onState({ status: 'connecting', reason: undefined });
  for (let failures = 0; !leaving.aborted;) {
    try {
      await takeOne(session);
      failures = 0;
    } catch (error) {
      if (leaving.aborted) return;
      // The service has forgotten this trainer, which registers again.
      if (isUnknownTrainer(error)) session.id = options.trainerId;
      else if (!isTransient(error)) throw error;
      failures += 1;
      options.onState({ status: 'connecting', reason: reasonOf(error) });
      await pause(backoffMs(failures), leaving);
    }
  }
}

/** Requests one job and runs it to its end. */
async function takeOne(session: TrainerSession): Promise<void> {
  const { client, leaving, options } = session;
  if (!session.mayTrain) await checkScopes(options.services.gateway, leaving);
  session.mayTrain = true;
  const facts = await options.environment.facts();
  const announcement = { ...facts, ...(session.id && { trainer_id: session.id }) };
  const { trainer_id: id } = await client.announce(announcement, leaving);
  session.id = id;
  options.onState({ status: 'idle' });
  const lease = await client.lease(id, WAIT_S, leaving);
  if (!lease) return;
  session.held = runLease({ ...options, lease, client });
  // It may have been stopped while the lease was in transit.
  if (session.how) session.held.end(session.how);
  try {
    await session.held.over;
  } finally {
    session.held = undefined;
  }
}

async function deregister(client: TrainingClient, id: string): Promise<void> {
  const gone = client.remove(id).catch(() => undefined);
  await Promise.race([gone, pause(DEREGISTER_MS)]);
}

function isUnknownTrainer(error: unknown): boolean {
  return error instanceof ProblemError && error.code === 'trainer_not_found';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const MAKE_KEY = `npm run -s spikegrid -- keys create --name trainer --scopes ${TRAINER_SCOPES.join(',')}`;
const TIME_LIMIT_MS = 15_000;

/**
 * Checks this trainer's scopes before it trains a result that it could not store.
 * @throws ProblemError forbidden, with the missing scopes and the command that creates such a key;
 * unauthenticated
 */
async function checkScopes(gateway: ServiceAddress, stop: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIME_LIMIT_MS)]);
  const { body } = await callEndpoint(openHttp(gateway), sessionEndpoints.getSession, { signal });
  const { kind, id, scopes } = body;
  if (scopes.includes('admin')) return;
  const missing = TRAINER_SCOPES.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  const isNobody = kind === 'anonymous';
  const lack = isNobody ? 'No key was given, and a trainer needs' : `The ${kind} ${id} lacks`;
  throw ownProblem(
    isNobody ? 'unauthenticated' : 'forbidden',
    `${lack} ${missing.join(', ')}. With a key for administration such a key is made by: ${MAKE_KEY}`,
  );
}
