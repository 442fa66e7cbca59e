import { useStore } from 'zustand';
import { startWorker } from '../workers/start-worker.ts';
import {
  createNodeInTab,
  type NodeInTab,
  type NodePort,
  type TabNodeState,
} from './node-in-tab.ts';
import type { FromTabNode } from './protocol.ts';

let node: NodeInTab | undefined;

/** The node of this page, alive as long as the page: it goes on while one looks at other screens. */
export function theNodeInTab(): NodeInTab {
  node ??= createNodeInTab({ open: openPort, events: window });
  return node;
}

export function useNodeInTab(): TabNodeState {
  return useStore(theNodeInTab().store);
}

function openPort(): NodePort {
  const worker = startWorker('brain');
  return {
    send: (message) => worker.postMessage(message, []),
    listen(heard, crashed) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromTabNode>) => heard(data));
      worker.addEventListener('error', ({ message }) =>
        crashed(message || 'the worker that is the node could not be started'),
      );
    },
    close: () => worker.terminate(),
  };
}
