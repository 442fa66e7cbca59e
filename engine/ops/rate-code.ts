import { neuronKernels } from '../kernels/neurons.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { lif } from './lif.ts';
import { axesOf, expectShape, expectWhole } from './shapes.ts';

interface RateCodeOptions {
  /** Time steps T. */
  readonly steps: number;
  /** `[width]`: the magnitude of each feature that a spike in every step stands for. */
  readonly range: Tensor;
}

/**
 * Numbers as rates of spikes, `bits[T, rows, 2 width]` from `[1, rows, width]`: neurons without leak of
 * which one half fires for what is above zero and the other for what is below, with the spikes of neuron
 * `width + c` counting for `-range[c]`. Membranes start half way to the threshold, so that T steps round
 * to the nearest of T + 1 magnitudes (Bu et al. 2022); what is beyond the range is cut off.
 *
 * It has no gradient.
 *
 *   input[c] = range[c] (mean of the spikes of c - mean of those of width + c) + at most range[c] / 2T
 */
export function rateCode(graph: Graph, input: Tensor, { steps, range }: RateCodeOptions): Tensor {
  const { rows, width } = axesOf('rateCode', input);
  expectWhole('rateCode', 'steps', steps, 1);
  expectShape('rateCode input', input, [1, rows, width]);
  expectShape('rateCode range', range, [width]);
  const drive = graph.scratch('drive', 'f32', [1, rows, 2 * width]);
  // The initial membrane is added in equal parts to the drive of every step.
  const offset = 0.5 / steps;
  graph.call(neuronKernels.signed_drive, { input, range, drive }, { rows, width, offset });
  return lif(graph, drive, { steps, beta: 1, threshold: 1, surrogate: 'atan' });
}
