import type { KernelCall } from '../../graph/kernel-table.ts';
import type { LayerAttributes } from '../../graph/layer-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import {
  type Binder,
  type Dispatch,
  elements,
  fold,
  perElement,
  perRow,
  variant,
  withConditions,
} from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

/** Words of spikes that a workgroup of neuron_forward and of integer_lif fills. */
const NEURON_WORDS = 2;
const INTEGER_WORDS = 4;

/** How WebGPU plays the neuron layers and the rules beside the gradient. */
export const layerBinders: { readonly [K in keyof LayerAttributes]: Binder<K> } = {
  neuron_forward: (call, profile) => perWord('neurons/neuron_forward', call, NEURON_WORDS, profile),
  neuron_backward: (call, profile) =>
    perElement('neurons/neuron_backward', call, elements(call.attributes), profile),
  evo_lif_forward: (call, profile) =>
    evoLif(perWord('neurons/neuron_forward', call, NEURON_WORDS, profile)),
  evo_lif_backward: (call, profile) =>
    evoLif(perElement('neurons/neuron_backward', call, elements(call.attributes), profile)),
  neuron_membrane: (call, profile) =>
    perElement('neurons/neuron_membrane', call, elements(call.attributes), profile),
  evo_lif_membrane: (call, profile) =>
    evoLif(perElement('neurons/neuron_membrane', call, elements(call.attributes), profile)),
  integer_lif: (call, profile) => perWord('neurons/integer_lif', call, INTEGER_WORDS, profile),
  curve_forward: (call, profile) =>
    perElement('activation/curve_forward', call, call.attributes.count, profile),
  curve_backward: (call, profile) =>
    perElement('activation/curve_backward', call, call.attributes.count, profile),
  synchrony_forward: (call, profile) =>
    perRow('neurons/synchrony_forward', call, groupsOf(call.attributes), profile),
  synchrony_backward: (call, profile) =>
    perRow('neurons/synchrony_backward', call, groupsOf(call.attributes), profile),
  energy_gate: (call, profile) => {
    const { rows, width, sequence } = call.attributes;
    const words = (rows / sequence) * wordsPerRow(width);
    return perElement('neurons/energy_gate', call, words, profile);
  },
  mask_gradient: (call, profile) => {
    const count = call.attributes.steps * elements(call.attributes);
    return perElement('neurons/mask_gradient', call, count, profile);
  },
  reward_signal: (call) => ({
    ...variant('neurons/reward_signal', call),
    workgroups: [1, 1],
  }),
  reward_decay: (call, profile) =>
    perElement('neurons/reward_decay', call, call.attributes.count, profile),
};

type LayerCall = Extract<KernelCall, { attributes: { rows: number; width: number } }>;

/** Workgroups that each fill `words` words of the spikes of a time step. */
function perWord(path: string, call: LayerCall, words: number, profile: DeviceProfile): Dispatch {
  const { rows, width } = call.attributes;
  const workgroups = fold(Math.ceil((rows * wordsPerRow(width)) / words), profile);
  return { ...variant(path, call), workgroups };
}

/** The shader of a layer, for neurons with a beta and a threshold of their own. */
function evoLif(dispatch: Dispatch): Dispatch {
  return withConditions(dispatch, { MODEL_EVO_LIF: true });
}

function groupsOf({ rows, groups }: LayerAttributes['synchrony_forward']): number {
  return rows * groups;
}
