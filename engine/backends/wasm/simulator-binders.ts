import type { SimulatorKernelAttributes } from '../../graph/simulator-kernels.ts';
import { WORD_BYTES, wordsPerRow } from '../../graph/tensor.ts';
import {
  type Call,
  type Command,
  grainOf,
  real,
  single,
  type Site,
  type WasmBinders,
} from './commands.ts';
import { hostedStep } from './hosted-step.ts';
import { perElement } from './items.ts';

/** Words of spikes that are worth another thread's attention: 2000 neurons. */
const LEAST_WORDS = 64;
/** Parts of the targets for each thread, where there are several, as some hold more synapses. */
const PARTS = 2;

/** How the WASM backend plays the kernels of networks without gradients. */
export const simulatorBinders: WasmBinders<keyof SimulatorKernelAttributes> = {
  advance_clock: ({ operands }, { at }) => single(once('advance_clock', [at(operands.clock)])),
  neuron_step: (call, site) => single(stepCommand(call, site)),
  mean_field: ({ operands, attributes: { count, row, at: to } }, { at }) => {
    const phases = at(operands.states) + WORD_BYTES * row * count;
    return single(once('mean_field', [phases, at(operands.constants) + WORD_BYTES * to, count]));
  },
  deliver_spikes: ({ operands, attributes }, { at, threads }) => {
    const { clock, spikes, rowStart, target, weight, ring, delay } = operands;
    const { sources, targets, slots, scale, steps } = attributes;
    const parts = threads === 1 ? 1 : Math.min(PARTS * threads, targets);
    return single({
      kernel: 'deliver_spikes',
      items: parts,
      grain: 1,
      args: [
        ...[at(clock), at(spikes), at(rowStart), at(target), at(weight), at(ring), at(delay)],
        ...[sources, targets, slots, real(scale), steps, parts],
      ],
    });
  },
  inject_current: ({ operands: { clock, drive }, attributes }, site) => {
    const { first, count, start, stop, from, slope } = attributes;
    const to = site.at(drive) + WORD_BYTES * first;
    const args = [site.at(clock), to, count, start, stop, real(from), real(slope)];
    return perElement('inject_current', count, args, site);
  },
  inject_noise: ({ operands: { clock, drive }, attributes }, site) => {
    const { first, count, stream, mean, factor } = attributes;
    const to = site.at(drive) + WORD_BYTES * first;
    const args = [site.at(clock), to, count, stream, real(mean), real(factor)];
    return perElement('inject_noise', count, args, site);
  },
  inject_poisson: ({ operands: { clock, table, drive }, attributes }, site) => {
    const { first, count, stream, weight, entries } = attributes;
    const to = site.at(drive) + WORD_BYTES * first;
    const args = [site.at(clock), site.at(table), to, count, stream, real(weight), entries];
    return perElement('inject_poisson', count, args, site);
  },
  replay_spikes: ({ operands, attributes: { count, steps } }, { at }) => {
    const { clock, stepStart, word, fired, spikes } = operands;
    const tensors = [at(clock), at(stepStart), at(word), at(fired), at(spikes)];
    return single(once('replay_spikes', [...tensors, count, steps]));
  },
  record_spikes: ({ operands, attributes: { count, capacity } }, { at }) => {
    const tensors = [at(operands.clock), at(operands.spikes), at(operands.history)];
    return single(once('record_spikes', [...tensors, count, capacity]));
  },
  record_state: ({ operands, attributes }, site) => {
    const { clock, states, chosen, history } = operands;
    const { count, capacity, neurons, row } = attributes;
    const from = site.at(states) + WORD_BYTES * row * neurons;
    const args = [site.at(clock), from, site.at(chosen), site.at(history), count, capacity];
    return perElement('record_state', count, args, site);
  },
  count_spikes: ({ operands, attributes: { count, capacity } }, { at }) => {
    const tensors = [at(operands.clock), at(operands.spikes), at(operands.counts)];
    return single(once('count_spikes', [...tensors, count, capacity]));
  },
};

/** What is too little to share. */
function once(kernel: string, args: Command['args']): Command {
  return { kernel, items: 1, grain: 1, args };
}

function stepCommand(call: Call<'neuron_step'>, site: Site): Command {
  const { clock, ring, drive, constants, states, spikes } = call.operands;
  const { model, count, slots, scale, perNeuron, dt } = call.attributes;
  const at = [clock, ring, drive, constants, states, spikes].map((tensor) => site.at(tensor));
  if (model.wgsl !== undefined) {
    return { ...once('', []), hosted: hostedStep(at, call.attributes) };
  }
  const items = wordsPerRow(count);
  return {
    kernel: `${model.name}_step`,
    items,
    grain: grainOf(items, site.threads, LEAST_WORDS),
    args: [...at, count, slots, real(scale), real(dt), Number(perNeuron)],
  };
}
