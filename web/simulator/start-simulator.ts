import { startWorker } from '../workers/start-worker.ts';
import type { SimulatorEvent } from './protocol.ts';
import type { SimulatorPort } from './simulator.ts';

/** Starts the simulator in a worker of its own. */
export function startSimulator(): SimulatorPort {
  const worker = startWorker('simulator');
  return {
    send: (command) => worker.postMessage(command, []),
    listen(onMessage, crashed) {
      worker.addEventListener('message', ({ data }: MessageEvent<SimulatorEvent>) =>
        onMessage(data),
      );
      worker.addEventListener('error', ({ message }) =>
        crashed(message || 'the worker of the simulator could not be started'),
      );
    },
  };
}
