import { philox } from '../../random/philox.ts';
import { at, bitAt, type ReferenceKernels, setBit } from './views.ts';

/** The meaning of the kernels of networks without gradients. */
export const simulatorKernels = {
  neuron_step: ({ f, u }, { model, count, slots, scale, constants, perNeuron, dt }) => {
    const line = signed(u('ring'))
      .subarray((at(u('clock'), 0) % slots) * count)
      .subarray(0, count);
    const [drive, numbers, states] = [f('drive'), f('constants'), f('states')];
    const spikes = u('spikes').fill(0);
    const state = new Float64Array(model.states.length);
    const own = new Float64Array(constants);
    for (let i = 0; i < count; i++) {
      for (let s = 0; s < state.length; s++) state[s] = at(states, s * count + i);
      for (let c = 0; c < constants; c++) own[c] = at(numbers, perNeuron ? c * count + i : c);
      const input = scale * at(line, i) + at(drive, i);
      if (model.step(state, own, input, dt)) setBit(spikes, 0, 0, i);
      for (let s = 0; s < state.length; s++) states[s * count + i] = at(state, s);
    }
    line.fill(0);
    drive.fill(0);
  },
  deliver_spikes: (views, { sources, targets, slots, scale, steps }) => {
    const { f, u } = views;
    const ring = signed(u('ring'));
    const delays = views.optionalWords('delay');
    const now = at(u('clock'), 0) % slots;
    for (let source = 0; source < sources; source++) {
      if (bitAt(u('spikes'), 0, 0, source) === 0) continue;
      for (let i = at(u('rowStart'), source); i < at(u('rowStart'), source + 1); i++) {
        const slot = (now + (delays ? at(delays, i) : steps)) % slots;
        const to = slot * targets + at(u('target'), i);
        ring[to] = at(ring, to) + roundToEven(scale * at(f('weight'), i));
      }
    }
  },
  inject_poisson: ({ f, u }, { first, count, stream, weight, entries }) => {
    const drive = f('drive');
    const table = u('table');
    const [step = 0, , low = 0, high = 0] = u('clock');
    for (let i = 0; i < count; i++) {
      const word = at(philox([Math.floor(i / 4), stream, step, 0], [low, high]), i % 4);
      let events = 0;
      while (events < entries && word >= at(table, events)) events++;
      drive[first + i] = at(drive, first + i) + weight * events;
    }
  },
  replay_spikes: ({ u }, { steps }) => {
    const spikes = u('spikes').fill(0);
    const t = at(u('clock'), 0);
    if (t >= steps) return;
    for (let e = at(u('stepStart'), t); e < at(u('stepStart'), t + 1); e++) {
      spikes[at(u('word'), e)] = at(u('fired'), e);
    }
  },
} satisfies Partial<ReferenceKernels>;

/** The nearest whole number, even where two are as near: as float instructions round. */
function roundToEven(x: number): number {
  const rounded = Math.round(x);
  return Math.abs(x % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** A ring's words as the whole numbers they are. */
function signed(words: Uint32Array): Int32Array {
  return new Int32Array(words.buffer, words.byteOffset, words.length);
}
