import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { timeReadoutKernels as kernels } from '../kernels/time-readouts.ts';
import { lastOfSegments, maxOfSegments, totalOfSegments } from './segment-readouts.ts';
import { expectAllSteps, heldInSegments } from './segment-states.ts';
import { axesOf } from './shapes.ts';

/** Packed spikes as the numbers 0 and 1, `[steps, rows, width]`; the gradient passes as it is. */
export function spikeValues(graph: Graph, spikes: Tensor): Tensor {
  const axes = axesOf('spikeValues', spikes, 'bits');
  const target = graph.scratch('spike values', 'f32', spikes.shape);
  graph.call(kernels.spike_values, { spikes, target }, axes);
  graph.differentiable({
    inputs: [spikes],
    output: target,
    backward: (gradient, gradients) => gradients.give(spikes, gradient),
  });
  return target;
}

/** Spikes of each neuron over all steps, `[1, rows, width]` from `bits[steps, rows, width]`. */
export function spikeCounts(graph: Graph, spikes: Tensor): Tensor {
  return total(graph, 'spikeCounts', spikes, () => 1);
}

/** The fraction of the steps in which each neuron fired, `[1, rows, width]` from `bits[steps, rows, width]`. */
export function spikeRates(graph: Graph, spikes: Tensor): Tensor {
  return total(graph, 'spikeRates', spikes, (steps) => 1 / steps);
}

/** The sum over the steps, `[1, rows, width]` from numbers `[steps, rows, width]`. */
export function sumSteps(graph: Graph, input: Tensor): Tensor {
  return total(graph, 'sumSteps', input, () => 1);
}

function total(
  graph: Graph,
  op: string,
  source: Tensor,
  factorOf: (steps: number) => number,
): Tensor {
  const spikes = op !== 'sumSteps';
  const axes = axesOf(op, source, spikes ? 'bits' : 'f32');
  const { segment } = graph;
  if (segment && axes.steps > 1) {
    return totalOfSegments(graph, { segment, source, axes }, factorOf(segment.steps));
  }
  const attributes = { ...axes, factor: factorOf(axes.steps) };
  const target = graph.scratch(op, 'f32', [1, axes.rows, axes.width]);
  graph.call(kernels.total_steps_forward, { source, target }, { ...attributes, spikes });
  graph.differentiable({
    inputs: [source],
    output: target,
    backward(gradient, gradients) {
      gradients.into(source, (into, accumulate) =>
        graph.call(
          kernels.total_steps_backward,
          { gradient, target: into },
          { ...attributes, accumulate },
        ),
      );
    },
  });
  return target;
}

/** The last step, `[1, rows, width]` from `[steps, rows, width]`. */
export function lastStep(graph: Graph, input: Tensor): Tensor {
  const axes = axesOf('lastStep', input);
  const { segment } = graph;
  if (axes.steps === 1) return heldInSegments(graph, input);
  if (segment) return lastOfSegments(graph, { segment, source: input, axes });
  const target = graph.scratch('last step', 'f32', [1, axes.rows, axes.width]);
  graph.call(kernels.last_step_forward, { source: input, target }, axes);
  graph.differentiable({
    inputs: [input],
    output: target,
    backward(gradient, gradients) {
      gradients.into(input, (into, accumulate) =>
        graph.call(kernels.last_step_backward, { gradient, target: into }, { ...axes, accumulate }),
      );
    },
  });
  return target;
}

/**
 * The maximum over the steps, `[1, rows, width]` from `[steps, rows, width]`. The gradient goes to the first step
 * that has it.
 */
export function maxSteps(graph: Graph, input: Tensor): Tensor {
  const axes = axesOf('maxSteps', input);
  const { segment } = graph;
  if (axes.steps === 1) return heldInSegments(graph, input);
  if (segment) return maxOfSegments(graph, { segment, source: input, axes });
  const shape = [1, axes.rows, axes.width];
  const target = graph.scratch('maximum over steps', 'f32', shape);
  const place = graph.scratch('step of the maximum', 'u32', shape);
  graph.call(kernels.max_steps_forward, { source: input, target, place }, axes);
  graph.differentiable({
    inputs: [input],
    output: target,
    backward(gradient, gradients) {
      gradients.into(input, (into, accumulate) =>
        graph.call(
          kernels.max_steps_backward,
          { gradient, place, target: into },
          { ...axes, accumulate },
        ),
      );
    },
  });
  return target;
}

/**
 * The step of each neuron's first spike, from 0 on, and T where it never fires: `[1, rows, width]` from
 * `bits[T, rows, width]`, or from spikes as numbers from 0 to 1.
 *
 *   latency = sum over t of the product of (1 - s[k]) over k <= t
 *
 * The gradient is that of this sum, which is exact for spikes between 0 and 1: an earlier spike would shorten the
 * wait by all the steps until the first one, the first itself by those until the second. The neuron's
 * surrogate takes it on from the spikes to the membrane. Steps after the first spike have no gradient.
 */
export function firstSpike(graph: Graph, spikes: Tensor): Tensor {
  expectAllSteps(graph, 'firstSpike');
  const source = spikes.dtype === 'bits' ? spikeValues(graph, spikes) : spikes;
  const axes = axesOf('firstSpike', source);
  const target = graph.scratch('first spike', 'f32', [1, axes.rows, axes.width]);
  const silent = graph.scratch('silent so far', 'f32', source.shape);
  graph.call(kernels.first_spike_forward, { source, target, silent }, axes);
  graph.differentiable({
    inputs: [source],
    output: target,
    backward(gradient, gradients) {
      const into = graph.scratch('gradient of spikes', 'f32', source.shape);
      const operands = { source, silent, gradient, target: into };
      graph.call(kernels.first_spike_backward, operands, axes);
      gradients.give(source, into);
    },
  });
  return target;
}
