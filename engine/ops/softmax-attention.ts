import { attentionKernels } from '../kernels/attention.ts';
import { EngineError } from '../errors.ts';
import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectSequences } from './shapes.ts';

interface SoftmaxAttentionOptions {
  readonly heads: number;
  /** Tokens of a sequence. */
  readonly sequence: number;
}

/**
 * Causal attention (Vaswani et al. 2017): `[1, rows, width]` from query, key and value side by side,
 * `[1, rows, 3 width]`, rows being sequences one after another.
 *
 *   w[i, j] = softmax over j <= i of q_i . k_j / sqrt(head width)      o_i = sum_j w[i, j] v_j
 *
 * Keeps the weights, `[batch, heads, sequence, sequence]`, for the gradient.
 */
export function softmaxAttention(
  graph: Graph,
  qkv: Tensor,
  options: SoftmaxAttentionOptions,
): Tensor {
  const { steps, rows: tokens, width: triple } = axesOf('softmaxAttention', qkv);
  const axes = checkAxes(steps * tokens, triple, options);
  const { batch, heads, sequence, headWidth } = axes;
  const width = heads * headWidth;
  const [query, key, value] = partsOf(qkv, width);
  const factor = headWidth ** -0.5;
  const shape = [batch, heads, sequence, sequence];
  const lines = { rows: batch * heads * sequence, width: sequence };
  const weights = graph.scratch('attention weights', 'f32', shape);
  const output = graph.scratch('attention', 'f32', [steps, tokens, width]);
  traceScores(graph, axes, { query, key, scores: weights, factor });
  graph.call(attentionKernels.causal_softmax_forward, { weights }, lines);
  const attended = { tensor: output, stride: width, offset: 0 };
  traceValues(graph, axes, { weights, value, output: attended, factor: 1, along: 'keys' });
  graph.differentiable({
    inputs: [qkv],
    output,
    backward(gradient, gradients) {
      const given = { tensor: gradient, stride: width, offset: 0 };
      const qkvGradient = graph.scratch('gradient of qkv', 'f32', qkv.shape);
      const [dQuery, dKey, dValue] = partsOf(qkvGradient, width);
      const scoreGradient = graph.scratch('gradient of scores', 'f32', shape);
      const weighted = { weights: scoreGradient, factor };
      traceScores(graph, axes, { query: given, key: value, scores: scoreGradient, factor: 1 });
      graph.call(attentionKernels.causal_softmax_backward, { weights, scoreGradient }, lines);
      const ofValue = { weights, value: given, output: dValue, factor: 1 };
      traceValues(graph, axes, { ...ofValue, along: 'queries' });
      traceValues(graph, axes, { ...weighted, value: key, output: dQuery, along: 'keys' });
      traceValues(graph, axes, { ...weighted, value: query, output: dKey, along: 'queries' });
      gradients.give(qkv, qkvGradient);
    },
  });
  return output;
}

interface AttentionAxes {
  readonly batch: number;
  readonly sequence: number;
  readonly heads: number;
  readonly headWidth: number;
}

export function checkAxes(
  rows: number,
  triple: number,
  { heads, sequence }: SoftmaxAttentionOptions,
): AttentionAxes {
  expectSequences('softmaxAttention', rows, sequence);
  const headWidth = headWidthOf('softmaxAttention', triple, heads);
  return { batch: rows / sequence, sequence, heads, headWidth };
}

/** Features of a head where a row holds query, key and value of all heads; throws naming the op. */
export function headWidthOf(op: string, triple: number, heads: number): number {
  const headWidth = triple / 3 / heads;
  if (Number.isInteger(headWidth)) return headWidth;
  throw new EngineError(
    'shape-mismatch',
    `${op}: ${triple} features do not split into query, key and value of ${heads} heads`,
  );
}

/** Position of the features of all heads in the rows of a tensor. */
interface Place {
  readonly tensor: Tensor;
  /** Features from row to row. */
  readonly stride: number;
  readonly offset: number;
}

/** Query, key and value in rows that hold the three side by side. */
export function partsOf(tensor: Tensor, width: number): readonly [Place, Place, Place] {
  const at = (part: number): Place => ({ tensor, stride: 3 * width, offset: part * width });
  return [at(0), at(1), at(2)];
}

interface Scores {
  readonly query: Place;
  readonly key: Place;
  readonly scores: Tensor;
  readonly factor: number;
}

/** `scores[i, j] = factor query_i . key_j` for j <= i. */
export function traceScores(
  graph: Graph,
  axes: AttentionAxes,
  { query, key, scores, factor }: Scores,
): void {
  graph.call(
    attentionKernels.attention_scores,
    {
      queries: query.tensor,
      // A device that binds a tensor to be written may not bind it twice.
      keys: key.tensor === query.tensor ? undefined : key.tensor,
      scores,
    },
    {
      ...axes,
      queryStride: query.stride,
      queryOffset: query.offset,
      keyStride: key.stride,
      keyOffset: key.offset,
      factor,
    },
  );
}

interface Values {
  readonly weights: Tensor;
  readonly value: Place;
  readonly output: Place;
  readonly factor: number;
  readonly along: 'keys' | 'queries';
}

/** `output_i = factor sum_j weights[i, j] value_j` along the keys; i and j change places along the queries. */
export function traceValues(
  graph: Graph,
  axes: AttentionAxes,
  { weights, value, output, ...rest }: Values,
): void {
  graph.call(
    attentionKernels.attention_values,
    { weights, values: value.tensor, output: output.tensor },
    {
      ...axes,
      valueStride: value.stride,
      valueOffset: value.offset,
      outputStride: output.stride,
      outputOffset: output.offset,
      factor: rest.factor,
      transpose: rest.along === 'queries',
    },
  );
}
