import { openBackend } from '../../engine/index.ts';
import { serveJob, type ToJob } from '../../trainer/index.ts';
import { wasmThreads } from '../api/device.ts';
import { openDatasetCache } from './file-cache.ts';

/** Runs one job in this worker and the threads it starts. */
const receive = serveJob(
  {
    openBackend: () => openBackend('auto', { gpu: navigator.gpu, threads: wasmThreads() }),
    cache: await openDatasetCache(),
    variables: {},
  },
  (message) => self.postMessage(message, { transfer: [] }),
);
self.addEventListener('message', ({ data }: MessageEvent<ToJob>) => receive(data));
