import { neuronKernels } from '../kernels/neurons.ts';
import type { LayerModel } from '../kernels/kernels.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { expectFinite, expectPositive, layerShape } from './layer-shapes.ts';
import { type LayerOptions, neuronLayer } from './neuron-layer.ts';

interface IzhikevichOptions extends LayerOptions {
  /** Rate of the recovery variable. */
  readonly a: number;
  /** Sensitivity of the recovery variable to the membrane. */
  readonly b: number;
  /** Membrane after a spike, mV. */
  readonly c: number;
  /** Increment of the recovery variable per spike. */
  readonly d: number;
  /**
   * `euler`: both variables from their old values. `published`: the membrane in two half-steps, then the
   * recovery variable from the new membrane, as in the paper's program.
   */
  readonly numerics: 'euler' | 'published';
  /** Milliseconds of a step; default 1. */
  readonly dt?: number;
  /** Membrane before the first step, mV; default -65. The recovery variable starts at b times it. */
  readonly start?: number;
  /** Millivolts below the peak that the surrogate takes for one unit; default 95, from rest to peak. */
  readonly span?: number;
  /** Millivolts per millisecond that one unit of current drives; default 1. */
  readonly drive?: number;
}

/**
 * Izhikevich's neuron (2003), for training. A neuron whose membrane reaches 30 mV in a step fires in it
 * and is reset before the next.
 *
 *   v' = 0.04 v^2 + 5 v + 140 - u + I      u' = a (b v - u)      at v >= 30: v = c, u = u + d
 *
 * The gradient goes through v and u, with the surrogate at x = (v - 30) / span in place of the spike's
 * step; the reset is a constant to it, so nothing of v crosses a spike.
 */
export function izhikevich(graph: Graph, current: Tensor, options: IzhikevichOptions): Tensor {
  return neuronLayer(graph, current, modelOf(options), options);
}

/** The membranes that `izhikevich` passes through in mV, `[T, rows, width]`, kept after the play for plots. */
export function izhikevichMembrane(
  graph: Graph,
  name: string,
  current: Tensor,
  options: IzhikevichOptions,
): Tensor {
  const { steps } = options;
  const { rows, width, currentSteps } = layerShape('izhikevichMembrane', current, steps);
  const membrane = graph.local(name, 'f32', [steps, rows, width]);
  const attributes = { steps, rows, width, currentSteps, ...modelOf(options) };
  graph.call(neuronKernels.neuron_membrane, { current, membrane }, attributes);
  return membrane;
}

function modelOf({
  dt = 1,
  start = -65,
  span = 95,
  drive = 1,
  ...options
}: IzhikevichOptions): LayerModel {
  const { a, b, c, d, numerics } = options;
  expectFinite('izhikevich', { a, b, c, d, start });
  expectPositive('izhikevich', { dt, span, drive });
  const substeps = numerics === 'published' ? 2 : 1;
  return { model: 'izhikevich', a, b, c, d, start, dt, substeps, span, drive };
}
