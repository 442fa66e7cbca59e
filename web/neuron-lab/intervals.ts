/** The intervals between the spikes of one neuron, in the unit of its spike times. */
export function intervalsOf(spikes: ArrayLike<number>): Float64Array {
  return Float64Array.from(
    { length: Math.max(0, spikes.length - 1) },
    (_, i) => (spikes[i + 1] ?? Number.NaN) - (spikes[i] ?? Number.NaN),
  );
}

export interface IntervalStatistics {
  /** NaN with fewer than two spikes. */
  readonly mean: number;
  /** Coefficient of variation: 0 for a clock, 1 for a Poisson process; NaN with fewer than three. */
  readonly variation: number;
}

export function intervalStatistics(spikes: ArrayLike<number>): IntervalStatistics {
  const intervals = intervalsOf(spikes);
  const mean = intervals.reduce((sum, interval) => sum + interval, 0) / intervals.length;
  if (intervals.length < 2) return { mean, variation: Number.NaN };
  const squares = intervals.reduce((sum, interval) => sum + (interval - mean) ** 2, 0);
  return { mean, variation: Math.sqrt(squares / intervals.length) / mean };
}
