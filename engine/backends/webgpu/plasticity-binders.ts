import type { epropRoles } from '../../graph/eprop-kernels.ts';
import type { KernelName } from '../../graph/kernel-table.ts';
import type { plasticityRoles } from '../../graph/plasticity-kernels.ts';
import { wordsPerRow } from '../../graph/tensor.ts';
import { type Binder, perElement, perRow, withConditions } from './dispatch.ts';

type PlasticityKernel = Extract<KernelName, keyof typeof plasticityRoles | keyof typeof epropRoles>;

/** Learning rules: rows of synapses by the lanes of a workgroup, everything else by element. */
export const plasticityBinders: { readonly [K in PlasticityKernel]: Binder<K> } = {
  spike_trace: (call, profile) =>
    perElement(
      'plasticity/spike_trace',
      call,
      call.attributes.rows * call.attributes.width,
      profile,
    ),
  stdp_depress: (call, profile) =>
    withConditions(perRow('plasticity/stdp_depress', call, call.attributes.pre, profile), {
      SPARSE: call.operands.rowStart !== undefined,
      TRIPLET: call.operands.slow !== undefined,
    }),
  stdp_potentiate: (call, profile) =>
    withConditions(perRow('plasticity/stdp_potentiate', call, call.attributes.post, profile), {
      SPARSE: call.operands.columnStart !== undefined,
      TRIPLET: call.operands.slow !== undefined,
    }),
  reward_update: (call, profile) =>
    perElement('plasticity/reward_update', call, call.attributes.count, profile),
  bcm_update: (call, profile) =>
    withConditions(perRow('plasticity/bcm_update', call, call.attributes.pre, profile), {
      SPARSE: call.operands.rowStart !== undefined,
    }),
  bcm_threshold: (call, profile) =>
    perElement('plasticity/bcm_threshold', call, call.attributes.count, profile),
  synaptic_scaling: (call, profile) =>
    withConditions(
      perElement('plasticity/synaptic_scaling', call, call.attributes.count, profile),
      { SPARSE: call.operands.target !== undefined },
    ),
  incoming_normalise: (call, profile) =>
    withConditions(perRow('plasticity/incoming_normalise', call, call.attributes.post, profile), {
      SPARSE: call.operands.columnStart !== undefined,
    }),
  competing_lif: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('plasticity/competing_lif', call, rows * wordsPerRow(width), profile);
  },
  lateral_inhibition: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('plasticity/lateral_inhibition', call, rows * width, profile);
  },
  select_step: (call, profile) =>
    perElement('plasticity/select_step', call, call.attributes.count, profile),
  eprop_neurons: (call, profile) => {
    const { rows, width } = call.attributes;
    return perElement('eprop/eprop_neurons', call, rows * wordsPerRow(width), profile);
  },
  eprop_update: (call, profile) =>
    perElement('eprop/eprop_update', call, call.attributes.pre * call.attributes.post, profile),
  eprop_adaptive_update: (call, profile) => {
    const { pre, post } = call.attributes;
    const dispatch = perElement('eprop/eprop_update', call, pre * post, profile);
    return withConditions(dispatch, { ADAPTIVE: true });
  },
  readout_error: (call, profile) =>
    perElement('eprop/readout_error', call, call.attributes.count, profile),
};
