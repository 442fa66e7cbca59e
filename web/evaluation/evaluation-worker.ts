import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { openBackend } from '../../engine/index.ts';
import { wasmThreads } from '../api/device.ts';
import { serviceHttp } from '../api/service-http.ts';
import { createEvaluationHost } from './evaluation-host.ts';
import type { EvaluationCommand } from './protocol.ts';

/** Evaluates models in this worker and its threads. */
const host = createEvaluationHost({
  post: (event) => self.postMessage(event, { transfer: [] }),
  openBackend: (choice) => openBackend(choice, { gpu: navigator.gpu, threads: wasmThreads() }),
  registry: createRegistryClient(serviceHttp('/registry')),
  now: () => performance.now(),
  date: () => new Date(),
});

self.addEventListener('message', ({ data }: MessageEvent<EvaluationCommand>) => {
  void host.receive(data);
});
