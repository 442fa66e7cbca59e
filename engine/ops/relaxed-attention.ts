import { relaxedKernels } from '../kernels/relaxed.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectShape } from './shapes.ts';
import { checkAxes, partsOf, traceScores, traceValues } from './softmax-attention.ts';
import type { AttentionOptions } from './spike-attention.ts';

/**
 * `spikeAttention` over queries, keys and values that lie between 0 and 1 instead of being spikes:
 * `[steps, rows, width]` from `f32[steps, rows, 3 width]`.
 *
 *   a[i, j] = (q_i . k_j) decay_h[i - j]  for j <= i      o_i = sum_j a[i, j] v_j
 *
 * Keeps the weights, `[steps * batch, heads, sequence, sequence]`, for the gradient.
 */
export function relaxedAttention(
  graph: Graph,
  qkv: Tensor,
  { heads, sequence, decay }: Pick<AttentionOptions, 'heads' | 'sequence' | 'decay'>,
): Tensor {
  const { steps, rows, width: triple } = axesOf('relaxedAttention', qkv);
  const axes = checkAxes(steps * rows, triple, { heads, sequence });
  expectShape('relaxedAttention decay', decay, [heads, sequence]);
  const width = triple / 3;
  const [query, key, value] = partsOf(qkv, width);
  const shape = [axes.batch, heads, sequence, sequence];
  const lines = { rows: axes.batch * heads * sequence, sequence, heads };
  const weights = graph.scratch('attention weights', 'f32', shape);
  const output = graph.scratch('attention', 'f32', [steps, rows, width]);
  const attended = { tensor: output, stride: width, offset: 0 };
  traceScores(graph, axes, { query, key, scores: weights, factor: 1 });
  graph.call(relaxedKernels.decay_scores, { decay, scores: weights }, lines);
  traceValues(graph, axes, { weights, value, output: attended, factor: 1, along: 'keys' });
  graph.differentiable({
    inputs: [qkv],
    output,
    backward(gradient, gradients) {
      const given = { tensor: gradient, stride: width, offset: 0 };
      const qkvGradient = graph.scratch('gradient of qkv', 'f32', qkv.shape);
      const [dQuery, dKey, dValue] = partsOf(qkvGradient, width);
      const scores = graph.scratch('gradient of scores', 'f32', shape);
      const weighted = { weights: scores, factor: 1 };
      traceScores(graph, axes, { query: given, key: value, scores, factor: 1 });
      graph.call(relaxedKernels.decay_scores, { decay, scores }, lines);
      const ofValue = { weights, value: given, output: dValue, factor: 1 };
      traceValues(graph, axes, { ...ofValue, along: 'queries' });
      traceValues(graph, axes, { ...weighted, value: key, output: dQuery, along: 'keys' });
      traceValues(graph, axes, { ...weighted, value: query, output: dKey, along: 'queries' });
      gradients.give(qkv, qkvGradient);
    },
  });
  return output;
}
