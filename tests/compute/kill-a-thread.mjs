// Loaded before the command line: SIGUSR2 ends the worker threads, as a crash would.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(...parameters) {
    super(...parameters);
    process.on('SIGUSR2', () => this.terminate());
  }
};
syncBuiltinESMExports();
