import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { axesOf, expectSequences, expectShape } from './shapes.ts';
import { headWidthOf } from './softmax-attention.ts';

export interface AttentionOptions {
  readonly heads: number;
  /** Tokens of a sequence. */
  readonly sequence: number;
  /** `[heads, sequence]`: exp(-distance / tau_h) / sqrt(head width), see `decayTable`. */
  readonly decay: Tensor;
}

/**
 * Causal spiking attention without softmax: `[steps, rows, width]` from the packed spikes of query,
 * key and value side by side, `bits[steps, rows, 3 width]`.
 *
 *   a[i, j] = (q_i . k_j) decay_h[i - j]  for j <= i      o_i = sum_j a[i, j] v_j
 *
 * Scores are counts of common spikes. Future tokens are never read.
 */
export function spikeAttention(graph: Graph, qkv: Tensor, options: AttentionOptions): Tensor {
  const { heads, sequence, decay } = options;
  const { steps, rows, width: triple } = axesOf('spikeAttention', qkv, 'bits');
  expectSequences('spikeAttention', rows, sequence);
  expectShape('spikeAttention decay', decay, [heads, sequence]);
  const headWidth = headWidthOf('spikeAttention', triple, heads);
  const width = triple / 3;
  const batch = rows / sequence;
  const attributes = { steps, batch, sequence, heads, headWidth };
  const output = graph.scratch('attention', 'f32', [steps, rows, width]);
  graph.call('spike_attention_forward', { qkv, decay, output }, attributes);
  graph.differentiable({
    inputs: [qkv],
    output,
    backward(gradient, gradients) {
      const shape = [steps, batch, heads, sequence, sequence];
      const scoreGradient = graph.scratch('gradient of scores', 'f32', shape);
      const qkvGradient = graph.scratch('gradient of qkv', 'f32', [steps, rows, triple]);
      graph.call(
        'spike_attention_backward_scores',
        { qkv, decay, gradient, scoreGradient },
        attributes,
      );
      graph.call(
        'spike_attention_backward',
        { qkv, decay, gradient, scoreGradient, qkvGradient },
        attributes,
      );
      gradients.give(qkv, qkvGradient);
    },
  });
  return output;
}

/**
 * The recurrent form for one token a row: `state = exp(-1 / tau_h) state + k v^T`, `o = q . state`.
 * `state [steps, slots, heads, head width, head width]`, of which row r goes on from slot `slots[r]`,
 * see `slotWord`; decay `[heads, 2]` as `decayTable(…, 2)`.
 */
export function spikeAttentionStep(
  graph: Graph,
  qkv: Tensor,
  { heads, decay, slots, state }: { heads: number; decay: Tensor; slots: Tensor; state: Tensor },
): Tensor {
  const { steps, rows: batch, width: triple } = axesOf('spikeAttentionStep', qkv, 'bits');
  const headWidth = headWidthOf('spikeAttentionStep', triple, heads);
  const count = state.shape[1] ?? 0;
  expectShape('spikeAttentionStep slots', slots, [batch], 'u32');
  expectShape('spikeAttentionStep state', state, [steps, count, heads, headWidth, headWidth]);
  expectShape('spikeAttentionStep decay', decay, [heads, 2]);
  const output = graph.scratch('attention', 'f32', [steps, batch, triple / 3]);
  graph.call(
    'spike_attention_step',
    { qkv, decay, slots, state, output },
    { steps, batch, heads, headWidth, slots: count },
  );
  return output;
}

/** `[tau.length, distances]`: exp(-distance / tau_h) / sqrt(headWidth), as float32. */
export function decayTable(
  tau: readonly number[],
  headWidth: number,
  distances: number,
): Float32Array {
  const table = new Float32Array(tau.length * distances);
  for (const [head, timeConstant] of tau.entries()) {
    for (let distance = 0; distance < distances; distance++) {
      table[head * distances + distance] =
        Math.exp(-distance / timeConstant) / Math.sqrt(headWidth);
    }
  }
  return table;
}
