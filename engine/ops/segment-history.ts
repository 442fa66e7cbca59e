import type { Graph } from '../graph/graph.ts';
import type { Segment } from '../graph/segments.ts';
import { type Tensor, wordCount, wordsPerRow } from '../graph/tensor.ts';
import { memoryKernels } from '../kernels/memory.ts';
import { segmentKernels as kernels } from '../kernels/segments.ts';
import { segmentStart } from './segment-states.ts';

/**
 * An op that looks back `history` steps, over the steps of a graph: where they are a segment, over those that it looks
 * back to as well, which are zero before the first segment.
 */
export function withHistory(
  graph: Graph,
  input: Tensor,
  history: number,
  op: (input: Tensor) => Tensor,
): Tensor {
  const { segment } = graph;
  if (!segment || history === 0) return op(input);
  return lastSteps(graph, op(behindHistory(graph, segment, input, history)), history);
}

/** Steps of the segments before, and those of the input: `[history + steps, rows, width]`, numbers or spikes. */
function behindHistory(graph: Graph, segment: Segment, input: Tensor, history: number): Tensor {
  const { dtype, shape } = input;
  const [steps = 1, rows = 1, width = 1] = shape;
  const before = [history, rows, width];
  const words = rows * (dtype === 'bits' ? wordsPerRow(width) : width);
  const start = segmentStart(graph, segment, { name: 'history', dtype, shape: before });
  const output = graph.scratch('with history', dtype, [history + steps, rows, width]);
  const last = graph.scratch('last of history', dtype, before);
  graph.call(memoryKernels.fill, { target: output }, { count: wordCount(output), value: 0 });
  move(graph, start.values, output, { from: 0, to: 0, count: history * words });
  move(graph, input, output, { from: 0, to: history * words, count: steps * words });
  move(graph, output, last, { from: steps * words, to: 0, count: history * words });
  start.leave(last);
  const carried = segment.carry({ name: 'gradient of history', dtype: 'f32', shape: before });
  graph.differentiable({
    inputs: [input],
    output,
    isCarried: true,
    backward(gradient, gradients) {
      const count = history * rows * width;
      const all = wordCount(gradient);
      const own = steps * rows * width;
      const behind = { first: 0, to: own, count, all: count, targets: all };
      graph.call(kernels.add_part, { source: carried, target: gradient }, behind);
      move(graph, gradient, carried, { from: 0, to: 0, count });
      gradients.into(input, (target, accumulate) => {
        if (accumulate) {
          const part = { first: count, to: 0, count: own, all, targets: own };
          graph.call(kernels.add_part, { source: gradient, target }, part);
        } else move(graph, gradient, target, { from: count, to: 0, count: own });
      });
    },
  });
  return output;
}

/** All steps but the first `history`. */
function lastSteps(graph: Graph, input: Tensor, history: number): Tensor {
  const [all = 1, rows = 1, width = 1] = input.shape;
  const output = graph.scratch('last steps', 'f32', [all - history, rows, width]);
  const [first, count] = [history * rows * width, wordCount(output)];
  move(graph, input, output, { from: first, to: 0, count });
  graph.differentiable({
    inputs: [input],
    output,
    backward(gradient, gradients) {
      gradients.into(input, (target, accumulate) => {
        const targets = wordCount(target);
        if (!accumulate) graph.call(memoryKernels.fill, { target }, { count: targets, value: 0 });
        const part = { first: 0, to: first, count, all: count, targets };
        graph.call(kernels.add_part, { source: gradient, target }, part);
      });
    },
  });
  return output;
}

interface Move {
  /** Words in front of them. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function move(graph: Graph, source: Tensor, target: Tensor, { from, to, count }: Move): void {
  const sizes = { all: wordCount(source), targets: wordCount(target) };
  graph.call(kernels.move_part, { source, target }, { first: from, to, count, ...sizes });
}
