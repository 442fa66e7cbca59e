import type { ChronospikeAttributes } from '../../graph/chronospike-kernels.ts';
import type { KernelCall } from '../../graph/kernel-table.ts';
import {
  type Binder,
  type Dispatch,
  elements,
  perElement,
  perHead,
  withConditions,
} from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

/** How WebGPU plays what dense_chronospike has to itself. */
export const chronospikeBinders: { readonly [K in keyof ChronospikeAttributes]: Binder<K> } = {
  clear_sequences: (call, profile) => {
    const { steps, batch, width } = call.attributes;
    return perElement('chunks/clear_sequences', call, steps * batch * width, profile);
  },
  last_tokens: (call, profile) =>
    perElement('chunks/last_tokens', call, elements(call.attributes), profile),
  carried_shift_forward: (call, profile) =>
    perElement('chunks/carried_shift_forward', call, elements(call.attributes), profile),
  carried_shift_backward: (call, profile) =>
    perElement('chunks/carried_shift_backward', call, elements(call.attributes), profile),
  carried_attention_forward: (call, profile) =>
    perHead('chunks/carried_attention_forward', call, tokens(call.attributes), profile),
  carried_attention_backward: (call, profile) =>
    perHead('chunks/carried_attention_backward', call, tokens(call.attributes), profile),
  carried_attention_update: (call, profile) => {
    const { steps, batch, heads, headWidth } = call.attributes;
    const cells = steps * batch * heads * headWidth ** 2;
    return perHead('chunks/carried_attention_update', call, cells, profile);
  },
  relaxed_lif_forward: (call, profile) => relaxed('relaxed/relaxed_lif_forward', call, profile),
  relaxed_lif_backward: (call, profile) => relaxed('relaxed/relaxed_lif_backward', call, profile),
  decay_scores: (call, profile) => {
    const { rows, sequence } = call.attributes;
    return perElement('relaxed/decay_scores', call, rows * sequence, profile);
  },
};

type RelaxedCall = Extract<KernelCall, { kernel: 'relaxed_lif_forward' | 'relaxed_lif_backward' }>;

function relaxed(path: string, call: RelaxedCall, profile: DeviceProfile): Dispatch {
  const dispatch = perElement(path, call, elements(call.attributes), profile);
  return withConditions(dispatch, { OWN_DECAY: call.operands.decay !== undefined });
}

type Attention = ChronospikeAttributes['carried_attention_forward'];

/** Features of all tokens. */
function tokens({ steps, batch, sequence, heads, headWidth }: Attention): number {
  return steps * batch * sequence * heads * headWidth;
}
