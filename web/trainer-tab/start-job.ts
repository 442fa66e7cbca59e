import type { FromJob, JobPort } from '../../trainer/index.ts';
import type { WorkerRole } from '../workers/start-worker.ts';

const role: WorkerRole = 'job';

/** Starts a worker for one job, beside the one that leases it. */
export function startJob(): JobPort {
  // The script that is running here is that of every worker.
  const worker = new Worker(self.location.href, { type: 'module', name: role });
  return {
    send: (message) => worker.postMessage(message, []),
    listen(onMessage, crashed) {
      worker.addEventListener('message', ({ data }: MessageEvent<FromJob>) => onMessage(data));
      // A script that cannot be loaded gives an event without a message.
      worker.addEventListener('error', ({ message }) =>
        crashed(message || 'the worker that trains could not be started'),
      );
    },
    close: () => worker.terminate(),
  };
}
