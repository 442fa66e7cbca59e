import { attentionKernels, chunkKernels } from '../kernels/attention.ts';
import type { Attributes } from '../kernels/kernels.ts';
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
  /** State from which the sequences continue; else they begin. */
  readonly carried?: CarriedAttention;
}

/** The state of the attention in front of a chunk, a constant to the gradient. */
interface CarriedAttention {
  /** `[steps, batch, heads, head width, head width]`: the sum of decayed k v^T up to the token before. */
  readonly state: Tensor;
  /** `[heads, sequence + 1]`, see `decayTable`. */
  readonly decay: Tensor;
}

/**
 * Causal spiking attention without softmax: `[steps, rows, width]` from the packed spikes of query,
 * key and value side by side, `bits[steps, rows, 3 width]`.
 *
 *   a[i, j] = (q_i . k_j) decay_h[i - j]  for j <= i      o_i = sum_j a[i, j] v_j
 *
 * Scores are counts of common spikes. Future tokens are never read. With carried state, token i adds
 * `q_i . state` decayed over i + 1 tokens: the chunks of a text, one after another, give what the whole
 * gives at once.
 */
export function spikeAttention(graph: Graph, qkv: Tensor, options: AttentionOptions): Tensor {
  const { heads, sequence, decay, carried } = options;
  const { steps, rows, width: triple } = axesOf('spikeAttention', qkv, 'bits');
  expectSequences('spikeAttention', rows, sequence);
  expectShape('spikeAttention decay', decay, [heads, sequence]);
  const headWidth = headWidthOf('spikeAttention', triple, heads);
  const width = triple / 3;
  const batch = rows / sequence;
  const attributes = { steps, batch, sequence, heads, headWidth };
  const output = graph.scratch('attention', 'f32', [steps, rows, width]);
  graph.call(attentionKernels.spike_attention_forward, { qkv, decay, output }, attributes);
  if (carried) {
    expectCarried(carried, attributes);
    graph.call(chunkKernels.carried_attention_forward, { qkv, ...carried, output }, attributes);
  }
  graph.differentiable({
    inputs: [qkv],
    output,
    backward(gradient, gradients) {
      const shape = [steps, batch, heads, sequence, sequence];
      const scoreGradient = graph.scratch('gradient of scores', 'f32', shape);
      const qkvGradient = graph.scratch('gradient of qkv', 'f32', [steps, rows, triple]);
      graph.call(
        attentionKernels.spike_attention_backward_scores,
        { qkv, decay, gradient, scoreGradient },
        attributes,
      );
      graph.call(
        attentionKernels.spike_attention_backward,
        { qkv, decay, gradient, scoreGradient, qkvGradient },
        attributes,
      );
      if (carried) {
        graph.call(
          chunkKernels.carried_attention_backward,
          { ...carried, gradient, qkvGradient },
          attributes,
        );
      }
      gradients.give(qkv, qkvGradient);
    },
  });
  return output;
}

/** Takes carried state over a chunk: from the token before it to its last one. Comes after all that reads it. */
export function advanceAttention(
  graph: Graph,
  qkv: Tensor,
  { heads, sequence, carried }: { heads: number; sequence: number; carried: CarriedAttention },
): void {
  const { steps, rows, width: triple } = axesOf('advanceAttention', qkv, 'bits');
  expectSequences('advanceAttention', rows, sequence);
  const headWidth = headWidthOf('advanceAttention', triple, heads);
  const attributes = { steps, batch: rows / sequence, sequence, heads, headWidth };
  expectCarried(carried, attributes);
  graph.call(chunkKernels.carried_attention_update, { qkv, ...carried }, attributes);
}

function expectCarried(
  { state, decay }: CarriedAttention,
  { steps, batch, sequence, heads, headWidth }: ChunkShape,
): void {
  expectShape('spikeAttention state', state, [steps, batch, heads, headWidth, headWidth]);
  expectShape('spikeAttention decay of the state', decay, [heads, sequence + 1]);
}

type ChunkShape = Attributes<'carried_attention_forward'>;

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
    attentionKernels.spike_attention_step,
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
