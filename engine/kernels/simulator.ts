import { equations } from '../kernel-language/written-kernel.ts';
import type { NeuronModel } from './neuron-model.ts';
import { randomWords } from './random.ts';
import { hostValue, int, kernelsOf } from './table.ts';
import { wordsPerRow } from '../graph/tensor.ts';

/** The first neuron and how many, of those of the population. */
const RANGE = { first: 'int', count: 'int' } as const;

const RECORDED = {
  count: 'int',
  /** Steps that the history holds; step t goes to line t % capacity. */
  capacity: 'int',
} as const;

/** Standard deviation of the integers that noise is made of: bits of 96 set, plus a uniform fraction, in 2^-16. */
export const NOISE_DEVIATION = 65_536 * Math.sqrt(24 + 1 / 12);

/**
 * Networks without gradients. `clock` is u32[4]: the step, unused, seed low, seed high; the device counts
 * the step itself. A `ring` is i32 as u32 words, [slots][neurons]: what arrives in step t lies in slot
 * t % slots, weights in fixed point.
 */
export const simulatorKernels = kernelsOf('simulator', {
  advance_clock: {
    operands: { clock: 'update' },
    attributes: {},
    write: equations({
      over: { once: '1' },
      shapes: { clock: 'u32[4]' },
      equations: 'clock[0] = clock[0] + 1',
    }),
  },
  neuron_step: {
    operands: {
      clock: 'read',
      ring: 'update',
      drive: 'update',
      constants: 'read',
      states: 'update',
      spikes: 'write',
    },
    attributes: {
      model: hostValue<NeuronModel>(),
      count: 'int',
      slots: 'int',
      /** The value of a unit of the ring: a power of two. */
      scale: 'float',
      /** Numbers that a step is given; [constants][count] where `perNeuron`, else [constants]. */
      constants: 'int',
      perNeuron: 'flag',
      dt: 'float',
    },
    derived: {
      words: int((a: { readonly count: number }) => wordsPerRow(a.count)),
      states: int((a: { readonly model: NeuronModel }) => a.model.states.length),
    },
  },
  /** Writes the means of cosine and sine of state `row` to constants `at` and `at` + 1. */
  mean_field: {
    operands: { states: 'read', constants: 'update' },
    attributes: { count: 'int', row: 'int', at: 'int' },
    write: equations({
      over: { neuron: 'count' },
      shapes: { states: 'f32[_, count]', constants: 'f32[_]' },
      equations: `
        phase = states[row, neuron]
        constants[at] = rowSum(cos(phase)) / count
        constants[at + 1] = rowSum(sin(phase)) / count`,
    }),
  },
  /** Adds `round(weight * scale)` to the ring, for every synapse of the neurons that fired. */
  deliver_spikes: {
    operands: {
      clock: 'read',
      spikes: 'read',
      rowStart: 'read',
      target: 'read',
      weight: 'read',
      ring: 'update',
      delay: 'read?',
    },
    attributes: {
      sources: 'int',
      targets: 'int',
      slots: 'int',
      scale: 'float',
      /** Steps from spike to arrival, 1 to `slots`, where the operand `delay` is absent. */
      steps: 'int',
    },
  },
  /** `drive += from + slope (t - start)` while start <= t < stop. */
  inject_current: {
    operands: { clock: 'read', drive: 'update' },
    attributes: { ...RANGE, start: 'int', stop: 'int', from: 'float', slope: 'float' },
    write: equations({
      over: { neuron: 'count' },
      shapes: { clock: 'u32[4]', drive: 'f32[count]' },
      equations: `
        t = clock[0]
        before = drive[neuron + first]
        added = before + (from + slope * f32(t - u32(start)))
        isOn = t >= u32(start) && t < u32(stop)
        drive[neuron + first] = isOn ? added : before`,
    }),
  },
  /** `drive += mean + factor z`, where z is nearly normal with a deviation of `NOISE_DEVIATION`. */
  inject_noise: {
    operands: { clock: 'read', drive: 'update' },
    attributes: { ...RANGE, stream: 'int', mean: 'float', factor: 'float' },
    // 96 coins and a uniform share between their steps: whole numbers, as logarithms differ between devices.
    write: equations({
      over: { neuron: 'count' },
      shapes: { clock: 'u32[4]', drive: 'f32[count]' },
      equations: `
        ${randomWords('neuron')}
        coins = i32(ones(c0) + ones(c1) + ones(c2)) - 48
        z = coins * 65536 + i32(shiftRight(c3, 16)) - 32768
        drive[neuron + first] = drive[neuron + first] + (mean + factor * f32(z))`,
    }),
  },
  /** `drive += weight k`, where k is how many of the `entries` thresholds a random word reaches. */
  inject_poisson: {
    operands: { clock: 'read', table: 'read', drive: 'update' },
    attributes: { ...RANGE, stream: 'int', weight: 'float', entries: 'int' },
  },
  /** Entries [stepStart[t], stepStart[t + 1]) are the words of step t that are not 0; none after `steps`. */
  replay_spikes: {
    operands: { clock: 'read', stepStart: 'read', word: 'read', fired: 'read', spikes: 'write' },
    attributes: { count: 'int', steps: 'int' },
  },
  record_spikes: {
    operands: { clock: 'read', spikes: 'read', history: 'update' },
    attributes: RECORDED,
    write: equations({
      over: { word: 'count / 32' },
      shapes: { clock: 'u32[4]', spikes: 'u32[count / 32]', history: 'u32[capacity, count / 32]' },
      equations: 'history[clock[0] % u32(capacity), word] = spikes',
    }),
  },
  /** Of state `row`, the `count` chosen of `neurons` neurons. */
  record_state: {
    operands: { clock: 'read', states: 'read', chosen: 'read', history: 'update' },
    attributes: { ...RECORDED, neurons: 'int', row: 'int' },
    write: equations({
      over: { place: 'count' },
      shapes: {
        clock: 'u32[4]',
        states: 'f32[_, neurons]',
        chosen: 'u32[count]',
        history: 'f32[capacity, count]',
      },
      equations: 'history[clock[0] % u32(capacity), place] = states[row, chosen]',
    }),
  },
  count_spikes: {
    operands: { clock: 'read', spikes: 'read', counts: 'update' },
    attributes: RECORDED,
    // Exact below 2^24 spikes.
    write: equations({
      over: { word: 'count / 32' },
      shapes: { clock: 'u32[4]', spikes: 'u32[count / 32]', counts: 'u32[capacity]' },
      equations: 'counts[clock[0] % u32(capacity)] = u32(rowSum(f32(ones(spikes))))',
    }),
  },
});
