import { createStore, type StoreApi } from 'zustand/vanilla';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { TrainerState } from '../../trainer/trainer-state.ts';
import type { FromStation, ToStation } from './protocol.ts';

export type SharedTrainerState =
  | { readonly status: 'off' }
  | { readonly status: 'on'; readonly trainer: TrainerState }
  /** Its job is returned with a checkpoint. */
  | { readonly status: 'stopping'; readonly trainer: TrainerState }
  | { readonly status: 'failed'; readonly error: unknown };

/** Connection to the worker that leases jobs. */
export interface StationPort {
  send(message: ToStation): void;
  listen(onMessage: (message: FromStation) => void, crashed: (reason: string) => void): void;
  close(): void;
}

/** Dependencies on the page. */
interface SharedTrainerPage {
  open(): StationPort;
  /** Reports that a trainer is gone while the page closes; does not wait for a response. */
  sayGone(trainerId: string): void;
  readonly events: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

/** Lends this tab to the platform until it is stopped or closed. */
export interface SharedTrainer {
  readonly store: StoreApi<SharedTrainerState>;
  start(): void;
  /** Stops gracefully: another trainer continues its job. */
  stop(): void;
}

const CONNECTING: TrainerState = { status: 'connecting', reason: undefined };

export function createSharedTrainer({ open, sayGone, events }: SharedTrainerPage): SharedTrainer {
  const store = createStore<SharedTrainerState>(() => ({ status: 'off' }));
  let port: StationPort | undefined;
  let trainerId: string | undefined;

  function start() {
    if (port) return;
    port = open();
    port.listen(receive, (reason) => end({ status: 'failed', error: new Error(reason) }));
    events.addEventListener('beforeunload', askBeforeLeaving);
    events.addEventListener('pagehide', leave);
    store.setState({ status: 'on', trainer: CONNECTING }, true);
  }

  function receive(message: FromStation) {
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

  /** The reason for a refusal arrives after the final state, so an unrequested stop waits for it. */
  function endInOrder() {
    if (store.getState().status === 'stopping') end({ status: 'off' });
  }

  function stop() {
    const state = store.getState();
    if (state.status !== 'on') return;
    store.setState({ status: 'stopping', trainer: state.trainer }, true);
    port?.send({ kind: 'stop' });
  }

  function end(state: SharedTrainerState) {
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

  /** No asynchronous work completes any more: the platform is notified, and reassigns the job. */
  function leave() {
    if (trainerId !== undefined) sayGone(trainerId);
    end({ status: 'off' });
  }

  return { store, start, stop };
}
