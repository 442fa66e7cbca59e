import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { openBackend } from '../../engine/index.ts';
import { serviceHttp } from '../api/service-http.ts';
import { wasmThreads } from '../api/device.ts';
import { EngineHost } from './host/engine-host.ts';
import type { ToWorker } from './protocol.ts';

/** The engine runs in this worker and the threads it starts, so that no kernel ever delays a frame. */
const host = new EngineHost({
  post: (message, transfer = []) => self.postMessage(message, { transfer }),
  openBackend: (choice) => openBackend(choice, { gpu: navigator.gpu, threads: wasmThreads() }),
  registry: createRegistryClient(serviceHttp('/registry')),
  fetch: (...request) => fetch(...request),
  now: () => performance.now(),
});

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => host.receive(data));
