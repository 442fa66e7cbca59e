import { mkdir } from 'node:fs/promises';
import { createTrainer, type Trainer, type TrainerState } from '../../trainer/index.ts';
import { keyHeaders } from '../cli/gateway-access.ts';
import { startJobProcess } from './job-child.ts';
import type { Roots } from './job-files.ts';
import { createNodeFacts, type FactsOptions } from './node-facts.ts';

export interface NodeTrainerOptions extends FactsOptions, Roots {
  readonly gateway: string;
  readonly key?: string | undefined;
  /** Its id from before, as jobs may name it. */
  readonly trainerId?: string | undefined;
  readonly onState: (state: TrainerState) => void;
}

/**
 * A trainer of this machine, each job in a process of its own.
 *
 * @throws EngineError where the device cannot be opened, and what `fs` throws for the roots
 */
export async function createNodeTrainer(options: NodeTrainerOptions): Promise<Trainer> {
  const { data, output, device, onState } = options;
  await mkdir(output, { recursive: true });
  const facts = await createNodeFacts(options);
  await facts();
  const base = options.gateway.replace(/\/+$/, '');
  const headers = keyHeaders(options.key);
  return createTrainer({
    trainerId: options.trainerId,
    services: {
      gateway: { base, headers },
      training: { base: `${base}/training`, headers },
      registry: { base: `${base}/registry`, headers },
    },
    environment: {
      facts,
      startJob: () => startJobProcess({ roots: { data, output }, device }),
    },
    onState,
  });
}
