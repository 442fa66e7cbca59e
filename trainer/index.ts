/** Training under a lease: the same in a Node process and in a tab. */
export { backoffMs, isTransient, pause, retry } from './backoff.ts';
export type {
  DatasetCache,
  JobFiles,
  JobLog,
  JobPort,
  OpenSource,
  TrainerFacts,
} from './environment.ts';
export { createMemoryCache } from './environment.ts';
export { settingsOfRequest } from './job-plan.ts';
export { JobFailure } from './job-failure.ts';
export type { FromJob, ServiceAddress, ToJob } from './job-messages.ts';
export { cutBlob, sendDataset } from './send-dataset.ts';
export { serveJob } from './job.ts';
export { createStrides } from './training-loop.ts';
export { createTrainer, type Trainer } from './trainer.ts';
export type { JobState, TrainerState } from './trainer-state.ts';
