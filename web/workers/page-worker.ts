import type { WorkerRole } from './start-worker.ts';

/** Takes up the role that the worker was named after; what arrives meanwhile waits. */
const ROLES: Readonly<Record<WorkerRole, () => Promise<unknown>>> = {
  engine: () => import('../lab/engine-worker.ts'),
  station: () => import('../trainer-tab/station-worker.ts'),
  job: () => import('../trainer-tab/job-worker.ts'),
  upload: () => import('../api/dataset-upload-worker.ts'),
  neurons: () => import('../neuron-lab/neuron-worker.ts'),
  simulator: () => import('../simulator/simulator-worker.ts'),
  evaluation: () => import('../evaluation/evaluation-worker.ts'),
  brain: () => import('../brain-tab/node-worker.ts'),
  plugins: () => import('../plugins/plugins-worker.ts'),
};

const early: unknown[] = [];
const hold = ({ data }: MessageEvent) => early.push(data);
self.addEventListener('message', hold);
// It is only ever named by `startWorker` and `startJob`.
await ROLES[self.name as WorkerRole]();
self.removeEventListener('message', hold);
for (const data of early) self.dispatchEvent(new MessageEvent('message', { data }));
