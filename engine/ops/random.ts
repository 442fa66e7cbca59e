import { randomKernels } from '../kernels/memory.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectShape } from './shapes.ts';

export interface RandomOptions {
  /** Distinguishes the draws of one program from each other. */
  readonly stream: number;
  /** As `clockInput`; a new step draws anew. */
  readonly clock: Tensor;
}

/**
 * Bernoulli spikes `bits[steps, rows, width]`, each set with its probability (rate coding), from
 * probabilities `[steps or 1, rows, width]`; those of one step serve all of them.
 */
export function randomSpikes(
  graph: Graph,
  probabilities: Tensor,
  { stream, clock, steps: asked }: RandomOptions & { readonly steps?: number },
): Tensor {
  const { steps: given, rows, width } = axesOf('randomSpikes', probabilities);
  const steps = asked ?? given;
  expectShape('randomSpikes', probabilities, [given === 1 ? 1 : steps, rows, width]);
  const spikes = graph.scratch('random spikes', 'bits', [steps, rows, width]);
  graph.call(
    randomKernels.random_spikes,
    { probabilities, clock, spikes },
    { rows: steps * rows, width, stream, probabilityRows: given * rows },
  );
  return spikes;
}
