import { startWorker } from '../workers/start-worker.ts';
import type { FromWorker } from './protocol.ts';
import type { EnginePort } from './session.ts';

/** Starts the engine in a worker of its own. */
export function startEngine(): EnginePort {
  const worker = startWorker('engine');
  return {
    send: (message) => worker.postMessage(message, []),
    listen(onMessage, crashed) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => onMessage(data));
      // A script that cannot be loaded gives an event without a message.
      worker.addEventListener('error', ({ message }) =>
        crashed(message || 'the worker of the engine could not be started'),
      );
    },
    close: () => worker.terminate(),
  };
}
