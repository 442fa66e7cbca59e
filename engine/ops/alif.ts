import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { expectFinite, expectPositive, expectShares } from './layer-shapes.ts';
import { type LayerOptions, neuronLayer } from './neuron-layer.ts';

interface AlifOptions extends LayerOptions {
  /** Fraction of the membrane kept per step, alpha. */
  readonly decay: number;
  /** Threshold of a neuron at rest, theta_0. */
  readonly threshold: number;
  /** Fraction of the adaptation kept per step, rho. */
  readonly adaptationDecay: number;
  /** By how much the threshold rises with the adaptation, beta_a. */
  readonly adaptationGain: number;
}

/**
 * Leaky integrate-and-fire neurons whose threshold rises with every spike and relaxes (Bellec et al. 2018).
 *
 *   v = alpha v + I - s[t-1] theta_0      a = rho a + s[t-1]      s = 1 if v > theta_0 + beta_a a
 *
 * The gradient crosses the spikes that raise the adaptation, which is how it remembers, and not the reset.
 */
export function alif(
  graph: Graph,
  current: Tensor,
  { steps, surrogate, ...constants }: AlifOptions,
): Tensor {
  const { decay, threshold, adaptationDecay, adaptationGain } = constants;
  expectShares('alif', { decay, adaptationDecay });
  expectPositive('alif', { threshold });
  expectFinite('alif', { adaptationGain });
  const model = { model: 'alif', decay, threshold, adaptationDecay, adaptationGain } as const;
  return neuronLayer(graph, current, model, { steps, surrogate });
}
