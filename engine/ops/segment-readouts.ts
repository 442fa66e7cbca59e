import type { Graph } from '../graph/graph.ts';
import type { Segment } from '../graph/segments.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { segmentKernels as kernels } from '../kernels/segments.ts';
import { LEAST, timeReadoutKernels } from '../kernels/time-readouts.ts';
import type { Axes } from './shapes.ts';

/*
 * One number for each neuron from all steps, where a program has those of a segment. Until the last segment they are
 * what has come together so far, which nobody may read; from then on they are those of all steps. Each segment gives
 * its own steps their part of the gradient.
 */

/** The sum over the steps so far, `[1, rows, width]`, before its factor. */
function totalSoFar(graph: Graph, segment: Segment, source: Tensor, axes: Axes): Tensor {
  const shape = [1, axes.rows, axes.width];
  const total = segment.carry({ name: 'total', dtype: 'f32', shape });
  if (segment.phase !== 'back') {
    const spikes = source.dtype === 'bits';
    graph.call(kernels.add_steps, { source, total }, { ...axes, spikes });
  }
  return total;
}

interface Readout {
  readonly segment: Segment;
  readonly source: Tensor;
  readonly axes: Axes;
}

/** The sum over all steps, times a factor. */
export function totalOfSegments(
  graph: Graph,
  { segment, source, axes }: Readout,
  factor: number,
): Tensor {
  const total = totalSoFar(graph, segment, source, axes);
  const target = graph.scratch('total', 'f32', total.shape);
  const once = { ...axes, steps: 1, factor, spikes: false };
  graph.call(timeReadoutKernels.total_steps_forward, { source: total, target }, once);
  graph.differentiable({
    inputs: [source],
    output: target,
    backward(gradient, gradients) {
      gradients.into(source, (into, accumulate) =>
        graph.call(
          timeReadoutKernels.total_steps_backward,
          { gradient, target: into },
          { ...axes, factor, accumulate },
        ),
      );
    },
  });
  return target;
}

/** The mean over all steps. */
export function meanOfSegments(graph: Graph, { segment, source, axes }: Readout): Tensor {
  const total = totalSoFar(graph, segment, source, axes);
  const target = graph.scratch('mean over steps', 'f32', total.shape);
  const attributes = { count: wordCount(total), all: segment.steps };
  graph.call(kernels.mean_of_total, { total, target }, attributes);
  graph.differentiable({
    inputs: [source],
    output: target,
    backward(gradient, gradients) {
      gradients.into(source, (into, accumulate) =>
        graph.call(
          kernels.mean_of_total_backward,
          { gradient, target: into },
          { ...attributes, steps: axes.steps, accumulate },
        ),
      );
    },
  });
  return target;
}

/** The last step of all, which has a gradient in the last segment alone. */
export function lastOfSegments(graph: Graph, { segment, source, axes }: Readout): Tensor {
  const shape = [1, axes.rows, axes.width];
  const target = segment.carry({ name: 'last step', dtype: 'f32', shape });
  if (segment.phase !== 'turn') return target;
  graph.call(timeReadoutKernels.last_step_forward, { source, target }, axes);
  graph.differentiable({
    inputs: [source],
    output: target,
    backward(gradient, gradients) {
      gradients.into(source, (into, accumulate) =>
        graph.call(
          timeReadoutKernels.last_step_backward,
          { gradient, target: into },
          { ...axes, accumulate },
        ),
      );
    },
  });
  return target;
}

/** The maximum over all steps; its gradient goes to the first step that has it, in whichever segment. */
export function maxOfSegments(graph: Graph, { segment, source, axes }: Readout): Tensor {
  const { place } = segment;
  const shape = [1, axes.rows, axes.width];
  const first = [{ words: axes.rows * axes.width, value: LEAST }];
  const most = segment.carry({ name: 'maximum', dtype: 'f32', shape, first });
  const at = segment.carry({ name: 'step of the maximum', dtype: 'u32', shape });
  if (segment.phase !== 'back') {
    graph.call(kernels.max_so_far, { place, source, most, at }, axes);
  }
  graph.differentiable({
    inputs: [source],
    output: most,
    backward(gradient, gradients) {
      gradients.into(source, (target, accumulate) =>
        graph.call(
          kernels.max_so_far_backward,
          { place, gradient, at, target },
          { ...axes, accumulate },
        ),
      );
    },
  });
  return most;
}
