import type { NeuronModel } from './neuron-model.ts';
import { hostValue, kernelsOf } from './table.ts';

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
  advance_clock: { operands: { clock: 'update' }, attributes: {} },
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
  },
  /** Writes the means of cosine and sine of state `row` to constants `at` and `at` + 1. */
  mean_field: {
    operands: { states: 'read', constants: 'update' },
    attributes: { count: 'int', row: 'int', at: 'int' },
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
  },
  /** `drive += mean + factor z`, where z is nearly normal with a deviation of `NOISE_DEVIATION`. */
  inject_noise: {
    operands: { clock: 'read', drive: 'update' },
    attributes: { ...RANGE, stream: 'int', mean: 'float', factor: 'float' },
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
  },
  /** Of state `row`, the `count` chosen of `neurons` neurons. */
  record_state: {
    operands: { clock: 'read', states: 'read', chosen: 'read', history: 'update' },
    attributes: { ...RECORDED, neurons: 'int', row: 'int' },
  },
  count_spikes: {
    operands: { clock: 'read', spikes: 'read', counts: 'update' },
    attributes: RECORDED,
  },
});
