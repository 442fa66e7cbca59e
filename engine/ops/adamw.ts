import { optimiserKernels } from '../kernels/parameter-updates.ts';
import type { Graph } from '../graph/graph.ts';
import { NORM_CHUNK } from '../graph/sizes.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';

export interface AdamWOptions {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
}

export interface AdamWInputs {
  /** As `ratesInput`. */
  readonly rates: Tensor;
  /** As `clockInput`. */
  readonly clock: Tensor;
  /** `[slots]`: the global norm before clipping lands in the clock's slot. */
  readonly norms: Tensor;
}

/**
 * One AdamW step over the whole parameter block, with the gradient scaled down to a global norm of
 * at most `rates[2]` (Loshchilov & Hutter 2019; decay on the front part of the block only).
 * Where the norm is not finite nothing changes, neither parameters nor moments. Returns the factor that
 * the gradient was scaled by, `[1]`: negative where the step was left out.
 */
export function adamW(graph: Graph, options: AdamWOptions, inputs: AdamWInputs): Tensor {
  const { values, gradients, momentum, variance, decayedWords } = graph.layout;
  const scale = globalNorm(graph, inputs);
  graph.call(
    optimiserKernels.adamw,
    { parameters: values, gradients, momentum, variance, scale, rates: inputs.rates },
    { count: wordCount(gradients), decayed: decayedWords, ...options },
  );
  return scale;
}

/**
 * The factor for the gradient, `[1]`, such that its global norm is at most `rates[2]`;
 * negative where the norm is not finite.
 */
export function globalNorm(graph: Graph, { rates, clock, norms }: AdamWInputs): Tensor {
  const { gradients } = graph.layout;
  const count = wordCount(gradients);
  const rows = Math.ceil(count / NORM_CHUNK);
  const partial = graph.scratch('partial squared norm', 'f32', [rows]);
  const scale = graph.scratch('gradient scale', 'f32', [1]);
  graph.call(optimiserKernels.squared_norm, { gradients, partial }, { count, chunk: NORM_CHUNK });
  graph.call(
    optimiserKernels.gradient_norm,
    { partial, clock, rates, norms, scale },
    { rows, slots: norms.shape[0] ?? 1 },
  );
  return scale;
}
