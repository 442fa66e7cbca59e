/** 32-bit operations at 45 nm and 0.9 V (Horowitz, ISSCC 2014): a product with its sum, and a sum. */
const MULTIPLY_ACCUMULATE_PJ = 4.6;
const ACCUMULATE_PJ = 0.9;
/** A word of 32 bits from or to 1 MB of memory on the chip: half of its 100 pJ for 64 bits. */
const WORD_PJ = 50;

/**
 * The firing rate below which spikes cost less than products with memory counted: a weight's three words
 * and an addition in each of `steps` time steps against one word and one product. Updates come on top.
 */
export function breakEvenRate(steps: number): number {
  return (MULTIPLY_ACCUMULATE_PJ + WORD_PJ) / (steps * (ACCUMULATE_PJ + 3 * WORD_PJ));
}

/** Operations done, and those of a dense network of the same size. */
interface OperationCounts {
  /** Additions that spikes caused. */
  readonly synapticOps: number;
  /** Products on kept values that are due in every time step: leaks of membranes, decays of states. */
  readonly updates: number;
  /** Products with weights whatever the spikes: those of the readout. */
  readonly products: number;
  readonly denseMacs: number;
}

/** Picojoules in three ways, never as one number: counts come first, and both of these are proxies. */
export interface EnergyUse {
  readonly computePj: number;
  readonly denseComputePj: number;
  readonly withMemoryPj: number;
  readonly denseWithMemoryPj: number;
}

/** Spikes and energy of a text that was read and written. */
export interface SpikeUse {
  readonly total: number;
  /** Spikes per neuron and time step. */
  readonly rate: number;
  /** See `breakEvenRate`; null where no neuron fires. */
  readonly breakEvenRate: number | null;
  readonly synapticOps: number;
  readonly denseMacs: number;
  readonly energy: EnergyUse;
}

/**
 * Energy as proxies. With memory, events move three words each (weight, and sum in and out, as spikes
 * come scattered), updates two (in and out), products and dense operations one (the weight; their sums
 * stay in registers). So six time steps pay below a rate of 6 % and four below 9 %, before updates;
 * Yan et al. (arXiv:2409.08290) find 5.7 % for five steps.
 */
export function energyOf({
  synapticOps,
  updates,
  products,
  denseMacs,
}: OperationCounts): EnergyUse {
  const computePj = ACCUMULATE_PJ * synapticOps + MULTIPLY_ACCUMULATE_PJ * (updates + products);
  const denseComputePj = MULTIPLY_ACCUMULATE_PJ * denseMacs;
  return {
    computePj,
    denseComputePj,
    withMemoryPj: computePj + WORD_PJ * (3 * synapticOps + 2 * updates + products),
    denseWithMemoryPj: denseComputePj + WORD_PJ * denseMacs,
  };
}
