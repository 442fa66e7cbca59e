/** How values are spread over bins of equal width. Every finite value is in exactly one place. */
export interface ValueBins {
  readonly from: number;
  readonly to: number;
  /** [bins]; a value on an edge belongs to the bin above it, the last edge to the last bin. */
  readonly counts: ArrayLike<number>;
  /** Values below `from` and above `to`. */
  readonly outside: number;
}

interface BinRange {
  readonly from: number;
  readonly to: number;
  readonly bins: number;
}

export function binValues(values: ArrayLike<number>, { from, to, bins }: BinRange): ValueBins {
  const counts = new Uint32Array(bins);
  let outside = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    if (value < from || value > to) {
      outside++;
      continue;
    }
    const bin = Math.min(bins - 1, Math.floor(((value - from) / (to - from)) * bins));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return { from, to, counts, outside };
}

/** The edges of one bin. */
export function edgesOf({ from, to, counts }: ValueBins, bin: number): readonly [number, number] {
  const width = (to - from) / counts.length;
  return [from + bin * width, from + (bin + 1) * width];
}
