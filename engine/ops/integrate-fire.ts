import { neuronKernels, type SpikeReset } from '../kernels/neurons.ts';
import { memoryKernels } from '../kernels/memory.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectShape } from './shapes.ts';

/** Lines of the table of parameters that `integrateFire` takes. */
export const NEURON_PARAMETERS = ['decay', 'gain', 'drift', 'threshold', 'reset'] as const;

interface IntegrateFireOptions {
  /** `[5, width]`, the lines of NEURON_PARAMETERS. */
  readonly parameters: Tensor;
  /** `[rows, width]`, carried from play to play. */
  readonly membrane: Tensor;
  readonly reset: SpikeReset;
}

/**
 * Leaky integrate-and-fire with parameters for each neuron, going on from a carried membrane: spikes of 0
 * and 1, or without reset the membranes, `[steps, rows, width]`. For inference: it has no gradient.
 *
 *   u[t] = decay v[t-1] + (gain x[t] + drift)      s[t] = 1 if u[t] > threshold else 0
 */
export function integrateFire(
  graph: Graph,
  drive: Tensor,
  { parameters, membrane, reset }: IntegrateFireOptions,
): Tensor {
  const { steps, rows, width } = axesOf('integrateFire', drive);
  expectShape('integrateFire parameters', parameters, [NEURON_PARAMETERS.length, width]);
  expectShape('integrateFire membrane', membrane, [rows, width]);
  const output = graph.scratch('neurons', 'f32', [steps, rows, width]);
  const operands = { drive, parameters, membrane, output };
  graph.call(neuronKernels.integrate_fire, operands, { steps, rows, width, reset });
  return output;
}

interface DelayOptions {
  /** `u32[width]`: steps by which each feature is late, at most the steps that `past` holds. */
  readonly delays: Tensor;
  /** `[depth, rows, width]`, the oldest step first, carried from play to play. */
  readonly past: Tensor;
}

/** The input, each feature late by a number of steps of its own. For inference: it has no gradient. */
export function delayFeatures(graph: Graph, input: Tensor, { delays, past }: DelayOptions): Tensor {
  const { steps, rows, width } = axesOf('delayFeatures', input);
  const depth = past.shape[0] ?? 0;
  expectShape('delayFeatures delays', delays, [width], 'u32');
  expectShape('delayFeatures past', past, [depth, rows, width]);
  const output = graph.scratch('late', 'f32', [steps, rows, width]);
  graph.call(
    memoryKernels.delay_features,
    { input, delays, past, output },
    { steps, rows, width, depth },
  );
  return output;
}
