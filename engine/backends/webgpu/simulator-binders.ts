import { wordsPerRow } from '../../graph/tensor.ts';
import type { SimulatorKernelAttributes } from '../../graph/simulator-kernels.ts';
import { type Binder, fold, perElement, variant } from './dispatch.ts';

/** Neurons of a workgroup of neuron_step. */
const LANES = 64;
/** Workgroups among which deliver_spikes shares the words of spikes: more than any GPU runs at a time. */
const DELIVERING = 2048;

type SimulatorKernel = keyof SimulatorKernelAttributes;

/** How WebGPU plays the kernels of networks without gradients. */
export const simulatorBinders: { readonly [K in SimulatorKernel]: Binder<K> } = {
  advance_clock: (call) => ({
    ...variant('simulator/advance_clock', call),
    workgroups: [1, 1],
  }),
  neuron_step: ({ attributes }, profile) => {
    const { model, count, slots, scale, constants, perNeuron, dt } = attributes;
    const ring = { COUNT: count, WORDS: wordsPerRow(count), SLOTS: slots, SCALE: scale };
    return {
      path: 'simulator/neuron_step',
      constants: { ...ring, STATES: model.states.length, CONSTANTS: constants, DT: dt },
      conditions: { PER_NEURON: perNeuron },
      model,
      workgroups: fold(Math.ceil(count / LANES), profile),
    };
  },
  deliver_spikes: (call, profile) => {
    const conditions = { DELAYS: call.operands.delay !== undefined };
    const words = wordsPerRow(call.attributes.sources);
    return {
      ...variant('simulator/deliver_spikes', call, {}, conditions),
      workgroups: fold(Math.min(words, DELIVERING), profile),
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
