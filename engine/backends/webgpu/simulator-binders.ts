import { wordsPerRow } from '../../graph/tensor.ts';
import type { SimulatorKernelAttributes } from '../../graph/simulator-kernels.ts';
import { type Binder, fold, perElement, variant } from './dispatch.ts';
import type { DeviceProfile } from './profile.ts';

/** Invocations of a workgroup. */
const LANES = 64;
/** Workgroups among which deliver_spikes shares the words of spikes: more than any GPU runs at a time. */
const DELIVERING = 2048;

/** Whether an invocation does a word of neurons: on processors. */
function isWordwise({ tiling }: DeviceProfile): boolean {
  return tiling === 'register';
}

type SimulatorKernel = keyof SimulatorKernelAttributes;

/** How WebGPU plays the kernels of networks without gradients. */
export const simulatorBinders: { readonly [K in SimulatorKernel]: Binder<K> } = {
  advance_clock: (call) => ({
    ...variant('simulator/advance_clock', call),
    workgroups: [1, 1],
  }),
  neuron_step: ({ attributes }, profile) => {
    const { model, count, slots, scale, constants, perNeuron, dt } = attributes;
    const invocations = isWordwise(profile) ? wordsPerRow(count) : count;
    const ring = { COUNT: count, WORDS: wordsPerRow(count), SLOTS: slots, SCALE: scale };
    return {
      path: 'simulator/neuron_step',
      constants: {
        ...ring,
        STATES: model.states.length,
        CONSTANTS: constants,
        DT: dt,
        WORKGROUP: LANES,
      },
      conditions: { PER_NEURON: perNeuron, WORDWISE: isWordwise(profile) },
      model,
      workgroups: fold(Math.ceil(invocations / LANES), profile),
    };
  },
  mean_field: (call) => ({
    ...variant('simulator/mean_field', call),
    workgroups: [1, 1],
  }),
  deliver_spikes: (call, profile) => {
    const words = wordsPerRow(call.attributes.sources);
    const conditions = {
      DELAYS: call.operands.delay !== undefined,
      WORDWISE: isWordwise(profile),
    };
    const groups = isWordwise(profile) ? Math.ceil(words / LANES) : Math.min(words, DELIVERING);
    return {
      ...variant('simulator/deliver_spikes', call, { WORKGROUP: LANES }, conditions),
      workgroups: fold(groups, profile),
    };
  },
  inject_current: (call, profile) =>
    perElement('simulator/inject_current', call, call.attributes.count, profile),
  inject_noise: (call, profile) =>
    perElement('simulator/inject_noise', call, call.attributes.count, profile),
  inject_poisson: (call, profile) =>
    perElement('simulator/inject_poisson', call, Math.ceil(call.attributes.count / 4), profile),
  replay_spikes: (call, profile) =>
    perElement('simulator/replay_spikes', call, wordsPerRow(call.attributes.count), profile),
  record_spikes: (call, profile) =>
    perElement('simulator/record_spikes', call, wordsPerRow(call.attributes.count), profile),
  record_state: (call, profile) =>
    perElement('simulator/record_state', call, call.attributes.count, profile),
  count_spikes: (call) => ({
    ...variant('simulator/count_spikes', call),
    workgroups: [1, 1],
  }),
};
