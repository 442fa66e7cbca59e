/** How the firing rates of a layer are spread. Every neuron is in exactly one place. */
export interface RateBins {
  readonly neurons: number;
  /** Neurons that never fired. */
  readonly dead: number;
  /** Neurons that fired in at least `saturatedAt` of the steps. */
  readonly saturated: number;
  readonly saturatedAt: number;
  /** All others, in bins of equal width over (0, saturatedAt). */
  readonly bins: readonly RateBin[];
  /** The middle or the average rate over all neurons, spikes per step; NaN without neurons. */
  readonly centre: { readonly kind: 'median' | 'mean'; readonly rate: number };
}

interface RateBin {
  /** Lower edge, spikes per step; the bin reaches up to the next one's. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

interface BinOptions {
  readonly bins: number;
  /** A rate, above 0 and at most 1, from which on a neuron counts as saturated. */
  readonly saturatedAt: number;
}

/** @param rates [neurons], spikes per step, 0 to 1 */
export function binRates(rates: ArrayLike<number>, { bins, saturatedAt }: BinOptions): RateBins {
  const width = saturatedAt / bins;
  const counts = new Uint32Array(bins);
  let dead = 0;
  let saturated = 0;
  for (let neuron = 0; neuron < rates.length; neuron++) {
    const rate = rates[neuron] ?? 0;
    if (rate <= 0) dead++;
    else if (rate >= saturatedAt) saturated++;
    else {
      // Rounding may put a rate just below the end into the bin after the last.
      const bin = Math.min(bins - 1, Math.floor(rate / width));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  return {
    neurons: rates.length,
    dead,
    saturated,
    saturatedAt,
    bins: Array.from(counts, (count, bin) => ({
      from: bin * width,
      to: (bin + 1) * width,
      count,
    })),
    centre: { kind: 'median', rate: medianOf(rates) },
  };
}

function medianOf(rates: ArrayLike<number>): number {
  const sorted = Float64Array.from(rates).toSorted();
  const middle = sorted.length >>> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
