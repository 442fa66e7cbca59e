import type { NeuronModel } from './neuron-model.ts';

/**
 * The kernels of networks without gradients, as in `kernel-table.ts`. `clock` is u32[4]: the step, unused,
 * seed low, seed high; the device counts the step itself. A `ring` is i32 as u32 words, [slots][neurons]:
 * what arrives in step t lies in slot t % slots, weights in fixed point.
 */
export const simulatorKernelRoles = {
  advance_clock: { clock: 'update' },
  neuron_step: {
    clock: 'read',
    ring: 'update',
    drive: 'update',
    constants: 'read',
    states: 'update',
    spikes: 'write',
  },
  mean_field: { states: 'read', constants: 'update' },
  deliver_spikes: {
    clock: 'read',
    spikes: 'read',
    rowStart: 'read',
    target: 'read',
    weight: 'read',
    ring: 'update',
    delay: 'read?',
  },
  inject_current: { clock: 'read', drive: 'update' },
  inject_noise: { clock: 'read', drive: 'update' },
  inject_poisson: { clock: 'read', table: 'read', drive: 'update' },
  replay_spikes: {
    clock: 'read',
    stepStart: 'read',
    word: 'read',
    fired: 'read',
    spikes: 'write',
  },
  record_spikes: { clock: 'read', spikes: 'read', history: 'update' },
  record_state: { clock: 'read', states: 'read', chosen: 'read', history: 'update' },
  count_spikes: { clock: 'read', spikes: 'read', counts: 'update' },
} as const;

interface Range {
  /** The first neuron and how many, of those of the population. */
  readonly first: number;
  readonly count: number;
}

interface Recorded {
  readonly count: number;
  /** Steps that the history holds; step t lands in line t % capacity. */
  readonly capacity: number;
}

export interface SimulatorKernelAttributes {
  readonly advance_clock: object;
  readonly neuron_step: {
    readonly model: NeuronModel;
    readonly count: number;
    readonly slots: number;
    /** What a unit of the ring is worth: a power of two. */
    readonly scale: number;
    /** Numbers that a step is given; [constants][count] where `perNeuron`, else [constants]. */
    readonly constants: number;
    readonly perNeuron: boolean;
    readonly dt: number;
  };
  /** Writes the means of cosine and sine of state `row` to constants `at` and `at` + 1. */
  readonly mean_field: { readonly count: number; readonly row: number; readonly at: number };
  /** Adds `round(weight * scale)` to the ring, for every synapse of the neurons that fired. */
  readonly deliver_spikes: {
    readonly sources: number;
    readonly targets: number;
    readonly slots: number;
    readonly scale: number;
    /** Steps from spike to arrival, 1 to `slots`, where the operand of that name is absent. */
    readonly steps: number;
  };
  /** `drive += from + slope (t - start)` while start <= t < stop. */
  readonly inject_current: Range & {
    readonly start: number;
    readonly stop: number;
    readonly from: number;
    readonly slope: number;
  };
  /** `drive += mean + factor z`, where z is nearly normal with a deviation of `NOISE_DEVIATION`. */
  readonly inject_noise: Range & {
    readonly stream: number;
    readonly mean: number;
    readonly factor: number;
  };
  /** `drive += weight k`, where k is how many of the `entries` thresholds a random word reaches. */
  readonly inject_poisson: Range & {
    readonly stream: number;
    readonly weight: number;
    readonly entries: number;
  };
  /** Entries [stepStart[t], stepStart[t + 1]) are the words of step t that are not 0; none after `steps`. */
  readonly replay_spikes: { readonly count: number; readonly steps: number };
  readonly record_spikes: Recorded;
  /** Of state `row`, the `count` chosen of `neurons` neurons. */
  readonly record_state: Recorded & { readonly neurons: number; readonly row: number };
  readonly count_spikes: Recorded;
}

/** Standard deviation of the whole numbers that noise is made of: bits of 96 set, plus a uniform share, in 2^-16. */
export const NOISE_DEVIATION = 65_536 * Math.sqrt(24 + 1 / 12);
