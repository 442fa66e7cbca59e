import { url } from 'virtual:page-worker';

/** Roles of a page worker: one script holds all of them, so that the engine is built once. */
export type WorkerRole =
  | 'engine'
  | 'station'
  | 'job'
  | 'upload'
  | 'neurons'
  | 'simulator'
  | 'plugins'
  | 'evaluation'
  | 'brain';

/** Starts a worker of the page. */
export const startWorker = (role: WorkerRole): Worker =>
  new Worker(url, { type: 'module', name: role });
