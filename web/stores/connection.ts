import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  nextConnection,
  untilNextProbe,
  type Connection,
  type ConnectionEvent,
} from './connection-machine.ts';

/** Dependencies of the connection watch; tests pass their own. */
interface ConnectionSources {
  /** Resolves when the gateway answered, whatever it said; rejects when it did not. */
  readonly probe: (signal: AbortSignal) => Promise<unknown>;
  readonly now: () => number;
  /** Fires `online` and `offline`, as `window` does. */
  readonly network: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** Fires `visibilitychange`; nothing is asked while it is hidden. */
  readonly page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
}

export interface ConnectionWatch {
  readonly store: StoreApi<Connection>;
  /** Asks now instead of at the next turn. */
  probeNow(): void;
  close(): void;
}

/** Asks the gateway for its health, again and again, until closed. One watch for the whole dashboard. */
export function watchConnection(sources: ConnectionSources): ConnectionWatch {
  const { probe, now, network, page } = sources;
  const store = createStore<Connection>(() => ({ status: 'connecting' }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: AbortController | undefined;

  function settle(event: ConnectionEvent) {
    inFlight = undefined;
    store.setState(nextConnection(store.getState(), event, now()), true);
    schedule();
  }

  function schedule() {
    clearTimeout(timer);
    if (page.visibilityState === 'hidden') return;
    timer = setTimeout(ask, untilNextProbe(store.getState(), now()));
  }

  function ask() {
    clearTimeout(timer);
    inFlight?.abort();
    const mine = new AbortController();
    inFlight = mine;
    const ifLatest = (type: ConnectionEvent['type']) => () => {
      if (inFlight === mine) settle({ type });
    };
    probe(mine.signal).then(ifLatest('answered'), ifLatest('failed'));
  }

  function networkLost() {
    inFlight?.abort();
    settle({ type: 'network-lost' });
  }

  function visibilityChanged() {
    if (page.visibilityState === 'hidden') clearTimeout(timer);
    else ask();
  }

  network.addEventListener('online', ask);
  network.addEventListener('offline', networkLost);
  page.addEventListener('visibilitychange', visibilityChanged);
  ask();

  return {
    store,
    probeNow: ask,
    close() {
      clearTimeout(timer);
      inFlight?.abort();
      inFlight = undefined;
      network.removeEventListener('online', ask);
      network.removeEventListener('offline', networkLost);
      page.removeEventListener('visibilitychange', visibilityChanged);
    },
  };
}
