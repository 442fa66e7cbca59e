import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { CONNECTION_CLOSE } from '../../edge/outward/contract/connection.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { ownProblem } from '../../edge/contract/refusal.ts';
import { VERSION } from '../../edge/http/version.ts';
import { backoffMs, pause } from '../../trainer/index.ts';
import { dial, type DialOptions, type OutwardSocket } from './outward-socket.ts';

type OutwardOptions = Pick<DialOptions, 'gateway' | 'headers' | 'service' | 'tags' | 'handle'> & {
  /** Told once it is gone, and once it is back. */
  readonly changed?: (fault: string | undefined) => void;
};

/** A service's connection to its gateway, in place of a port. */
export interface OutwardConnection {
  /** Its id among the instances of the service. */
  readonly instance: string;
  /** Undefined while it stands, else why not. */
  readonly fault: string | undefined;
  /** Rejects with a ProblemError once the gateway will not have the service any more. */
  readonly refused: Promise<never>;
  /** Has the gateway ask others; settles once every gateway does. */
  leave(): Promise<void>;
  /** Leaves, lets what is under way end for so long, and closes; at once where that is 0. */
  close(graceMs: number): Promise<void>;
}

/** A connection that stood for so long was no failure. */
const STOOD_MS = 10_000;

/**
 * Connects to the gateway and stays connected: also to a gateway that is not there yet, or goes away.
 * Settles after the first try.
 *
 * @throws ProblemError where the gateway refuses the service, and would again
 */
export async function connectOutward(options: OutwardOptions): Promise<OutwardConnection> {
  const leaving = new AbortController();
  const state: State = {
    options: { ...options, version: VERSION, instance: makeInstanceId(), signal: leaving.signal },
    fault: 'it has not answered yet',
    tried: Promise.withResolvers(),
    changed: options.changed ?? (() => {}),
  };
  const work = keepConnected(state);
  const refused = Promise.withResolvers<never>();
  // Whoever started the service waits for it; nobody has to.
  refused.promise.catch(() => undefined);
  work.catch((error: unknown) => {
    state.tried.reject(error);
    refused.reject(error);
  });
  await state.tried.promise;
  state.wasTried = true;
  return {
    get instance() {
      return instanceOf(state);
    },
    get fault() {
      return state.fault;
    },
    refused: refused.promise,
    leave: () => leave(state),
    async close(graceMs) {
      if (graceMs > 0) await leave(state);
      leaving.abort();
      await state.socket?.finish(graceMs);
      await work.catch(() => undefined);
    },
  };
}

/** Gateways look at the table of services this often. */
const UNTIL_HEARD_MS = 1_200;

async function leave(state: State): Promise<void> {
  if (!state.socket || state.hasLeft) return;
  state.hasLeft = true;
  state.socket.leave();
  await pause(UNTIL_HEARD_MS);
}

interface State {
  readonly options: DialOptions;
  readonly tried: PromiseWithResolvers<void>;
  readonly changed: (fault: string | undefined) => void;
  fault: string | undefined;
  hasLeft?: boolean;
  /** How many have ended. */
  connections?: number;
  wasTried?: boolean;
  socket?: OutwardSocket | undefined;
}

async function keepConnected(state: State): Promise<void> {
  const { signal } = state.options;
  for (let failures = 0; !signal.aborted;) {
    const began = Date.now();
    try {
      await connectOnce(state);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ProblemError && !error.problem.retryable) throw error;
      note(state, error instanceof Error ? error.message : String(error));
    }
    state.tried.resolve();
    failures = Date.now() - began > STOOD_MS ? 1 : failures + 1;
    await pause(backoffMs(failures), signal);
  }
}

/** The caller sees the first outcome; later changes are reported. */
function note(state: State, fault: string | undefined): void {
  const isNews = (fault === undefined) !== (state.fault === undefined);
  state.fault = fault;
  if (isNews && state.wasTried) state.changed(fault);
}

/** The gateway may take a connection that broke off for open yet: the next one has an id of its own. */
const instanceOf = ({ options: { instance }, connections = 0 }: State): string =>
  connections === 0 ? instance : `${instance}.${connections + 1}`;

/** Connects, and waits for the end of that. */
async function connectOnce(state: State): Promise<void> {
  const socket = await dial({ ...state.options, instance: instanceOf(state) });
  state.socket = socket;
  note(state, undefined);
  state.tried.resolve();
  const { code, reason } = await socket.closed;
  state.socket = undefined;
  state.connections = (state.connections ?? 0) + 1;
  if (code === CONNECTION_CLOSE.credentialsEnded) {
    throw ownProblem(
      'unauthenticated',
      'the gateway ended the connection, as the key of this service was revoked or has expired.',
    );
  }
  throw new Error(`the connection ended with ${code}${reason && `: ${reason}`}`);
}

/** The name of the machine, and what tells processes on it apart. */
function makeInstanceId(): string {
  const name = hostname()
    .replaceAll(/[^A-Za-z0-9.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return `${name.slice(0, 40) || 'host'}-${randomBytes(3).toString('hex')}`;
}
