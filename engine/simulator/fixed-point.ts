import { EngineError } from '../errors.ts';
import type { Synapses } from './synapses.ts';

const LARGEST = 2 ** 31 - 1;
/** No finer than this: float32 has 24 bits. */
const MOST_BITS = 24;

export interface Arriving {
  readonly synapses: Synapses;
  /** What a weight may grow to, where a rule changes it. */
  readonly largestWeight: number | undefined;
}

/**
 * Bits behind the point of what arrives at a population: as many as keep every sum within 32 bits even if
 * all neurons fired and everything arrived in one step, so that no sum can overflow. Throws EngineError
 * `invalid-setting` naming the population and the sum where not even whole numbers would fit.
 */
export function fractionBits(
  population: string,
  targets: number,
  arriving: readonly Arriving[],
): number {
  const sums = new Float64Array(targets);
  for (const { synapses, largestWeight } of arriving) addWeights(sums, synapses, largestWeight);
  const worst = sums.reduce((most, sum) => Math.max(most, sum), 0);
  // Each weight is rounded by up to half a unit.
  const counts = arriving.reduce((sum, { synapses }) => sum + synapses.target.length, 0);
  const bits = Math.floor(Math.log2((LARGEST - counts / 2) / Math.max(worst, 1)));
  if (bits >= 0) return Math.min(bits, MOST_BITS);
  throw new EngineError(
    'invalid-setting',
    `population ${population}: weights of up to ${worst} in all could arrive at a neuron in one step, ` +
      `expected at most ${LARGEST}`,
  );
}

function addWeights(
  sums: Float64Array,
  { target, weight }: Synapses,
  largest: number | undefined,
): void {
  for (let i = 0; i < target.length; i++) {
    const to = target[i] ?? 0;
    sums[to] = (sums[to] ?? 0) + Math.max(Math.abs(weight[i] ?? 0), largest ?? 0);
  }
}
