import type { KernelCall } from '../../graph/kernel-table.ts';
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

/** Rows of spikes that one invocation of spike_count adds up. */
const COUNT_ROWS = 64;
/** Neurons that one workgroup of lif_forward_lanes holds, in words. */
const LANE_WORDS = 2;

type LifKernel =
  | 'lif_forward'
  | 'lif_backward'
  | 'lif_backward_held'
  | 'lif_membrane'
  | 'spike_count'
  | 'slot_spike_count'
  | 'lif_membrane_backward'
  | 'membrane_spike_count';

/** How WebGPU plays leaky integrate-and-fire neurons and counts what they fire. */
export const lifBinders: { readonly [K in LifKernel]: Binder<K> } = {
  lif_forward: (call, profile) => {
    const { rows, width } = call.attributes;
    const words = rows * wordsPerRow(width);
    const conditions = { HELD: isHeld(call), OWN_DECAY: call.operands.decay !== undefined };
    if (profile.tiling === 'register') {
      return withConditions(perElement('neurons/lif_forward', call, words, profile), conditions);
    }
    return {
      ...variant('neurons/lif_forward_lanes', call, {}, conditions),
      workgroups: fold(Math.ceil(words / LANE_WORDS), profile),
    };
  },
  lif_backward: (call, profile) => perNeuron('neurons/lif_backward', call, profile),
  lif_backward_held: (call, profile) => perNeuron('neurons/lif_backward', call, profile),
  lif_membrane: (call, profile) => perNeuron('neurons/lif_membrane', call, profile),
  spike_count: (call, profile) => {
    const { rows, width } = call.attributes;
    const invocations = Math.ceil(rows / COUNT_ROWS) * width;
    return perElement('neurons/spike_count', call, invocations, profile);
  },
  slot_spike_count: (call, profile) =>
    perRow('neurons/slot_spike_count', call, call.attributes.rows, profile),
  lif_membrane_backward: (call, profile) =>
    perNeuron('neurons/lif_membrane_backward', call, profile),
  membrane_spike_count: (call, profile) =>
    perElement('neurons/membrane_spike_count', call, elements(call.attributes), profile),
};

type NeuronCall = Extract<KernelCall, { attributes: { width: number; beta: number } }>;

function perNeuron(path: string, call: NeuronCall, profile: DeviceProfile): Dispatch {
  const dispatch = perElement(path, call, elements(call.attributes), profile);
  const OWN_DECAY = 'decay' in call.operands && call.operands.decay !== undefined;
  return withConditions(dispatch, { HELD: isHeld(call), OWN_DECAY });
}

/** Whether the current has one step, read as if repeated. */
function isHeld({ kernel, attributes }: NeuronCall): boolean {
  if (!('currentSteps' in attributes)) return kernel === 'lif_backward_held';
  return attributes.currentSteps === 1 && attributes.steps > 1;
}
