import { formatPlan } from '../graph/program.ts';
import { planPrograms, type TrainingPlan } from '../train/plan-programs.ts';
import { checkFit, type FitOptions } from './fit-options.ts';
import type { Network } from './network.ts';
import { traceTraining } from './training-programs.ts';

/** How a network would be trained, for a plan of its memory. */
export interface PlanFitOptions extends Pick<
  FitOptions,
  'loss' | 'optimizer' | 'batchSize' | 'segments'
> {
  /**
   * The input of an example: numbers that are the same in every time step (`held`, default), or `numbers` or
   * `spikes` of each.
   */
  readonly input?: 'held' | 'numbers' | 'spikes';
}

/** Memory that `fit` takes on a device, beside the scratch of its kernels. */
export interface FitPlan {
  /** In bytes; the batch on the device and all that lasts between steps is part of the arena's. */
  readonly memory: TrainingPlan;
  /** Where every tensor of each program lies, and from which call to which, as text. */
  readonly plan: string;
}

/** Plans a training without a device, and without its validation. Throws EngineError as `fit`. */
export function planFit(network: Network, { input = 'held', ...options }: PlanFitOptions): FitPlan {
  const { loss, optimizer, batchSize: rows, segments } = checkFit(options);
  const dtype = input === 'spikes' ? 'bits' : 'f32';
  const form = { frames: input === 'held' ? 1 : network.steps, dtype } as const;
  const { programs } = traceTraining(network, form, { loss, optimizer, rows, segments });
  return {
    memory: planPrograms(network.layout, programs),
    plan: programs.map(formatPlan).join('\n\n'),
  };
}
