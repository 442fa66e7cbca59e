import { createStore, type StoreApi } from 'zustand/vanilla';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { TrainerState } from '../../trainer/trainer-state.ts';
import type { FromStation, ToStation } from './protocol.ts';

export type LendingState =
  | { readonly status: 'off' }
  | { readonly status: 'on'; readonly trainer: TrainerState }
  /** The job it held is given back with a checkpoint. */
  | { readonly status: 'stopping'; readonly trainer: TrainerState }
  | { readonly status: 'failed'; readonly error: unknown };

/** The way to the worker that leases jobs. */
export interface StationPort {
  send(message: ToStation): void;
  listen(heard: (message: FromStation) => void, crashed: (reason: string) => void): void;
  close(): void;
}

/** What it needs of the page. */
interface LendingPage {
  open(): StationPort;
  /** Says that a trainer is gone, while the page is being closed: nobody waits for an answer. */
  sayGone(trainerId: string): void;
  readonly events: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

/** Lends this tab to the platform until it is stopped or closed. */
export interface Lending {
  readonly store: StoreApi<LendingState>;
  start(): void;
  /** In good order: the job it holds goes on elsewhere. */
  stop(): void;
}

const CONNECTING: TrainerState = { status: 'connecting', reason: undefined };

export function createLending({ open, sayGone, events }: LendingPage): Lending {
  const store = createStore<LendingState>(() => ({ status: 'off' }));
  let port: StationPort | undefined;
  let trainerId: string | undefined;

  function start() {
    if (port) return;
    port = open();
    port.listen(hear, (reason) => end({ status: 'failed', error: new Error(reason) }));
    events.addEventListener('beforeunload', askBeforeLeaving);
    events.addEventListener('pagehide', leave);
    store.setState({ status: 'on', trainer: CONNECTING }, true);
  }

  function hear(message: FromStation) {
    if (message.kind === 'refused') {
      return end({ status: 'failed', error: new ProblemError(message.problem) });
    }
    if (message.kind === 'failed') {
      return end({ status: 'failed', error: new Error(message.message) });
    }
    trainerId = message.trainerId;
    if (message.state.status === 'stopped') return endInOrder();
    const status = store.getState().status === 'stopping' ? 'stopping' : 'on';
    store.setState({ status, trainer: message.state }, true);
  }

  /** A refusal is told after the farewell, so what stopped unasked waits for its reason. */
  function endInOrder() {
    if (store.getState().status === 'stopping') end({ status: 'off' });
  }

  function stop() {
    const state = store.getState();
    if (state.status !== 'on') return;
    store.setState({ status: 'stopping', trainer: state.trainer }, true);
    port?.send({ kind: 'stop' });
  }

  function end(state: LendingState) {
    port?.close();
    port = undefined;
    trainerId = undefined;
    events.removeEventListener('beforeunload', askBeforeLeaving);
    events.removeEventListener('pagehide', leave);
    store.setState(state, true);
  }

  function askBeforeLeaving(event: Event) {
    const state = store.getState();
    if ('trainer' in state && state.trainer.status === 'training') event.preventDefault();
  }

  /** Nothing that takes time is carried out any more: the platform is told, and gives the job on. */
  function leave() {
    if (trainerId !== undefined) sayGone(trainerId);
    end({ status: 'off' });
  }

  return { store, start, stop };
}
