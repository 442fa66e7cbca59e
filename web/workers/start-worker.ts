import { url } from 'virtual:page-worker';

/** What a worker of the page can be: one script holds all of it, so that the engine is built once. */
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
