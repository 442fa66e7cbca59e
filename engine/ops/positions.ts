import { memoryKernels } from '../kernels/memory.ts';
import { embeddingKernels } from '../kernels/attention.ts';
import type { Graph } from '../graph/graph.ts';
import { type Tensor, wordCount } from '../graph/tensor.ts';
import { axesOf, expectSequences, expectShape } from './shapes.ts';

/**
 * Adds the learned vector of each token's place: `input [1, rows, width]`, whose rows are sequences
 * one after another, plus `table [sequence, width]`.
 */
export function addPositions(graph: Graph, input: Tensor, table: Tensor): Tensor {
  const { rows, width } = axesOf('addPositions', input);
  const sequence = table.shape[0] ?? 0;
  expectShape('addPositions input', input, [1, rows, width]);
  expectShape('addPositions table', table, [sequence, width]);
  expectSequences('addPositions', rows, sequence);
  const output = graph.scratch('with positions', 'f32', input.shape);
  graph.call(
    embeddingKernels.position_forward,
    { input, table, output },
    { rows, width, sequence },
  );
  graph.differentiable({
    inputs: [input, table],
    output,
    backward(gradient, gradients) {
      // Sequences are to the table what time steps are to what they share.
      gradients.into(table, (target, accumulate) =>
        graph.call(
          memoryKernels.sum_steps,
          { source: gradient, target },
          { count: wordCount(table), steps: rows / sequence, accumulate },
        ),
      );
      gradients.give(input, gradient);
    },
  });
  return output;
}
