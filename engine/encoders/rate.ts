import { encoderKernels } from '../kernels/encoders.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { type RandomOptions, randomSpikes } from '../ops/random.ts';
import { axesOf } from '../ops/shapes.ts';
import { expectCount } from '../checks.ts';

interface RateOptions extends RandomOptions {
  /** Time steps T. */
  readonly steps: number;
}

/**
 * Rate code: in every step a neuron fires with a probability of its number, independently. Spikes
 * `bits[T, rows, width]` from intensities in [0, 1], `[T or 1, rows, width]`. Draws come from Philox, so
 * every backend and every machine has the same spikes for a seed.
 */
export function rateEncode(graph: Graph, intensity: Tensor, options: RateOptions): Tensor {
  expectCount('rate', 'T', options.steps);
  return randomSpikes(graph, intensity, options);
}

/**
 * The fraction of the steps in which each neuron fired, `[1, rows, width]`: unbiased, with a standard error
 * of sqrt(x (1 - x) / T).
 */
export function rateDecode(graph: Graph, spikes: Tensor): Tensor {
  const { steps, rows, width } = axesOf('rateDecode', spikes, 'bits');
  const output = graph.scratch('rate', 'f32', [1, rows, width]);
  graph.call(encoderKernels.rate_decode, { spikes, output }, { steps, rows, width });
  return output;
}
