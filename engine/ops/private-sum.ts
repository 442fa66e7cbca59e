import { privacyKernels } from '../kernels/parameter-updates.ts';
import type { Graph } from '../graph/graph.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { sharedTensor, type Tensor, wordCount } from '../graph/tensor.ts';
import { type AdamWInputs, globalNorm } from './adamw.ts';

/** Sums over the examples of a step, shared by the program of an example and that of the step. */
export interface PrivateSums {
  /** `[words of the block]`: gradients, none longer than the clipping norm. */
  readonly gradient: Tensor;
  /** `[1]`: losses. */
  readonly loss: Tensor;
  /** `u32[4]`: step, slot, and the secret key of the noise. */
  readonly clock: Tensor;
}

export function privateSums({ gradients }: ParameterLayout): PrivateSums {
  return {
    gradient: sharedTensor('private gradient sum', 'f32', gradients.shape),
    loss: sharedTensor('private loss sum', 'f32', [1]),
    clock: sharedTensor('private clock', 'u32', [4]),
  };
}

/** Adds the gradient that one example left in the block, clipped to the norm in `rates[2]`. */
export function addClipped(graph: Graph, sums: PrivateSums, inputs: AdamWInputs): void {
  const scale = globalNorm(graph, inputs);
  const { gradients } = graph.layout;
  const operands = { addend: gradients, scale, sum: sums.gradient };
  graph.call(privacyKernels.clipped_sum, operands, { count: wordCount(gradients) });
}

export interface NoiseOptions {
  /** Standard deviation of the noise over the clipping norm. */
  readonly noise: number;
  readonly clipNorm: number;
  /** Examples of a step on average. */
  readonly batch: number;
}

const NOISE_STREAM = 0x44504e5a;

/**
 * Makes the sum the gradient of the step: Gaussian noise on every trained number, divided by the examples
 * expected and not by those there were, which are a secret. Padding between parameters stays 0.
 */
export function takeNoised(
  graph: Graph,
  { gradient: sum, clock }: PrivateSums,
  { noise, clipNorm, batch }: NoiseOptions,
): void {
  for (const { gradient, offsetBytes } of graph.layout.parameters) {
    graph.call(
      privacyKernels.private_gradient,
      { clock, sum, gradient },
      {
        count: wordCount(gradient),
        offset: offsetBytes / Float32Array.BYTES_PER_ELEMENT,
        stream: NOISE_STREAM,
        deviation: noise * clipNorm,
        factor: 1 / batch,
      },
    );
  }
}
