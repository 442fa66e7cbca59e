/**
 * The exponential moving average of a curve, unbiased at its start:
 *
 *   m[t] = weight * m[t-1] + (1 - weight) * y[t],   out[t] = m[t] / (1 - weight^(t+1)),   m[-1] = 0
 *
 * @param weight 0 (the curve itself) up to but not 1
 * @param out where to put the result; as long as `values`
 */
export function smooth(values: Float64Array, weight: number, out: Float64Array): Float64Array {
  let mean = 0;
  let decay = 1;
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? Number.NaN;
    if (Number.isNaN(value)) {
      // A gap stays a gap, and what was known before it is kept.
      out[row] = Number.NaN;
      continue;
    }
    mean = weight * mean + (1 - weight) * value;
    decay *= weight;
    out[row] = mean / (1 - decay);
  }
  return out;
}
