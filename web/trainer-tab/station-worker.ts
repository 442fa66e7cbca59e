import { ProblemError } from '../../edge/contract/problem-error.ts';
import type { Services } from '../../trainer/job-messages.ts';
import { createTrainer, type Trainer } from '../../trainer/trainer.ts';
import type { FromStation, ToStation } from './protocol.ts';
import { startJob } from './start-job.ts';
import { createTabFacts } from './tab-facts.ts';

/**
 * Leases jobs and keeps the leases alive. In a worker of its own: browsers slow down the timers of
 * pages that are not seen, and a heartbeat that comes once a minute loses its lease.
 */
let trainer: Promise<Trainer> | undefined;

const post = (message: FromStation) => self.postMessage(message, { transfer: [] });

self.addEventListener('message', ({ data }: MessageEvent<ToStation>) => {
  if (data.kind === 'start') {
    trainer ??= start(data.services);
    trainer.then(({ ended }) => ended).catch(tellFailure);
  } else {
    void trainer?.then(({ stop }) => stop()).catch(() => undefined);
  }
});

async function start(services: Services): Promise<Trainer> {
  const facts = await createTabFacts();
  // It tells its first state before it is there.
  const made: { trainer?: Trainer } = {};
  made.trainer = createTrainer({
    services,
    environment: { facts, startJob },
    onState: (state) => post({ kind: 'state', state, trainerId: made.trainer?.id() }),
  });
  return made.trainer;
}

function tellFailure(error: unknown): void {
  if (error instanceof ProblemError) post({ kind: 'refused', problem: error.problem });
  else post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
