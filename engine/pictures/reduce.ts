/** Rows of some series over one x, oldest first. */
export interface SeriesWindow {
  /** [length], not falling */
  readonly x: Float64Array;
  /** one [length] per series; NaN where there was no value */
  readonly y: readonly Float64Array[];
}

/** Rows of a plot: null leaves a gap. */
export interface PlotRows {
  readonly x: readonly number[];
  readonly y: readonly (readonly (number | null)[])[];
}

/**
 * At most `maxRows` rows that look like all of them. Rows are put into buckets of equal count; each
 * bucket keeps its first and last x, and of each series the smallest and the largest value in the
 * order they came, so that no peak is lost however many points share a pixel.
 * @param maxRows at least 2
 */
export function reduceMinMax(window: SeriesWindow, maxRows: number): PlotRows {
  const { x, y } = window;
  if (x.length <= maxRows)
    return { x: Array.from(x), y: y.map((series) => Array.from(series, orGap)) };
  const buckets = Math.floor(maxRows / 2);
  return {
    x: reduceX(x, buckets),
    y: y.map((series) => reduceSeries(series, buckets)),
  };
}

function reduceX(x: Float64Array, buckets: number): number[] {
  const kept: number[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    kept.push(x[startOf(bucket, buckets, x.length)] ?? 0);
    kept.push(x[startOf(bucket + 1, buckets, x.length) - 1] ?? 0);
  }
  return kept;
}

function reduceSeries(series: Float64Array, buckets: number): (number | null)[] {
  const kept: (number | null)[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = startOf(bucket, buckets, series.length);
    const end = startOf(bucket + 1, buckets, series.length);
    const [first, second] = extremeRows(series, start, end);
    kept.push(orGap(series[first]), orGap(series[second]));
  }
  return kept;
}

/** The rows of the smallest and the largest value, in the order of the rows; -1 where all are gaps. */
function extremeRows(series: Float64Array, start: number, end: number): [number, number] {
  let low = -1;
  let high = -1;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let row = start; row < end; row++) {
    const value = series[row] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    if (value < lowest) {
      low = row;
      lowest = value;
    }
    if (value > highest) {
      high = row;
      highest = value;
    }
  }
  return [Math.min(low, high), Math.max(low, high)];
}

function startOf(bucket: number, buckets: number, rows: number): number {
  return Math.floor((bucket * rows) / buckets);
}

function orGap(value: number | undefined): number | null {
  return Number.isFinite(value) ? (value ?? null) : null;
}
