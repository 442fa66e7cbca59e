import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { startWorker } from '../workers/start-worker.ts';
import type { FromTabNode, TabNode, ToTabNode } from './protocol.ts';

export type TabNodeState =
  | { readonly status: 'off' }
  /** Loads its model and connects; a PFC listens before it announces itself. */
  | { readonly status: 'starting'; readonly node: TabNode }
  | { readonly status: 'on'; readonly node: TabNode; readonly answered: number }
  | { readonly status: 'leaving'; readonly node: TabNode }
  | { readonly status: 'failed'; readonly error: Error };

/** The message port of the node worker. */
interface NodePort {
  send(message: ToTabNode): void;
  listen(onMessage: (message: FromTabNode) => void, onCrash: (reason: string) => void): void;
  close(): void;
}

/** The page's dependencies, replaced in tests. */
interface NodePage {
  open(): NodePort;
  readonly events: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

/** This tab as a node of the brain, until it is stopped or closed. */
interface NodeInTab {
  readonly store: StoreApi<TabNodeState>;
  start(node: TabNode): void;
  /** Leaves after current requests are finished. */
  stop(): void;
}

export function createNodeInTab({ open, events }: NodePage): NodeInTab {
  const store = createStore<TabNodeState>(() => ({ status: 'off' }));
  let port: NodePort | undefined;

  function start(node: TabNode) {
    if (port) return;
    port = open();
    port.listen(receive, (reason) => end({ status: 'failed', error: new Error(reason) }));
    port.send({ kind: 'start', node });
    events.addEventListener('pagehide', leave);
    store.setState({ status: 'starting', node }, true);
  }

  function receive(message: FromTabNode) {
    const state = store.getState();
    if (message.kind === 'left') return end({ status: 'off' });
    if (message.kind === 'failed') {
      return end({ status: 'failed', error: new Error(message.message) });
    }
    if (state.status !== 'starting' && state.status !== 'on') return;
    const answered = message.kind === 'answered' ? message.count : 0;
    store.setState({ status: 'on', node: state.node, answered }, true);
  }

  function stop() {
    const state = store.getState();
    if (state.status !== 'on') return end({ status: 'off' });
    store.setState({ status: 'leaving', node: state.node }, true);
    port?.send({ kind: 'leave' });
  }

  /** Ends the worker at once: the broker notifies the others. */
  const leave = () => end({ status: 'off' });

  function end(state: TabNodeState) {
    port?.close();
    port = undefined;
    events.removeEventListener('pagehide', leave);
    store.setState(state, true);
  }

  return { store, start, stop };
}

let node: NodeInTab | undefined;

/** The node of this page. It runs on while other screens are shown. */
export function tabNode(): NodeInTab {
  node ??= createNodeInTab({ open: openPort, events: window });
  return node;
}

export function useNodeInTab(): TabNodeState {
  return useStore(tabNode().store);
}

function openPort(): NodePort {
  const worker = startWorker('brain');
  return {
    send: (message) => worker.postMessage(message, []),
    listen(onMessage, onCrash) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromTabNode>) => onMessage(data));
      worker.addEventListener('error', ({ message }) =>
        onCrash(message || 'the worker that is the node could not be started'),
      );
    },
    close: () => worker.terminate(),
  };
}
