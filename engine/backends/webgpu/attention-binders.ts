import { type Binder, perElement, perHead, perRow, withConditions } from './dispatch.ts';

type AttentionKernel =
  | 'spike_attention_forward'
  | 'spike_attention_backward_scores'
  | 'spike_attention_backward'
  | 'spike_attention_step'
  | 'attention_scores'
  | 'causal_softmax_forward'
  | 'causal_softmax_backward'
  | 'attention_values';

/** How WebGPU plays attention over whole sequences, of spikes and of numbers. */
export const attentionBinders: { readonly [K in AttentionKernel]: Binder<K> } = {
  spike_attention_forward: (call, profile) => {
    const { steps, batch, sequence } = call.attributes;
    const invocations = steps * batch * sequence * headQuads(call.attributes);
    return perHead('attention/spike_attention_forward', call, invocations, profile);
  },
  spike_attention_backward_scores: (call, profile) => {
    const { steps, batch, sequence, heads } = call.attributes;
    const invocations = steps * batch * heads * sequence * sequence;
    return perHead('attention/spike_attention_backward_scores', call, invocations, profile);
  },
  spike_attention_backward: (call, profile) => {
    const { steps, batch, sequence } = call.attributes;
    const invocations = 3 * steps * batch * sequence * headQuads(call.attributes);
    return perHead('attention/spike_attention_backward', call, invocations, profile);
  },
  spike_attention_step: (call, profile) => {
    const { steps, batch, heads, headWidth } = call.attributes;
    const invocations = steps * batch * heads * headWidth;
    return perHead('attention/spike_attention_step', call, invocations, profile);
  },

  attention_scores: (call, profile) => {
    const { batch, heads, sequence } = call.attributes;
    const tiles = batch * heads * Math.ceil(sequence / 4) ** 2;
    const conditions = {
      KEYS: call.operands.keys !== undefined,
      QUADS: hasQuads(call.attributes),
    };
    return withConditions(
      perElement('attention/attention_scores', call, tiles, profile),
      conditions,
    );
  },
  causal_softmax_forward: (call, profile) =>
    perRow('attention/causal_softmax_forward', call, call.attributes.rows, profile),
  causal_softmax_backward: (call, profile) =>
    perRow('attention/causal_softmax_backward', call, call.attributes.rows, profile),
  attention_values: (call, profile) => {
    const { batch, sequence } = call.attributes;
    const tiles = batch * Math.ceil(sequence / 4) * headQuads(call.attributes);
    return withConditions(perElement('attention/attention_values', call, tiles, profile), {
      QUADS: hasQuads(call.attributes),
    });
  },
};

function headQuads({ heads, headWidth }: { heads: number; headWidth: number }): number {
  return heads * Math.ceil(headWidth / 4);
}

/** What has to be a multiple of 4 for features and scores to be read four at a time. */
const QUAD_AXES = /^(sequence|headWidth)$|(Stride|Offset)$/;

function hasQuads(attributes: object): boolean {
  const axes = Object.entries(attributes).filter(([name]) => QUAD_AXES.test(name));
  return axes.every(([, value]) => Number(value) % 4 === 0);
}
