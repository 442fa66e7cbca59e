import { type PlotRows, reduceMinMax, type SeriesWindow } from './reduce.ts';
import { smooth } from './smooth.ts';

export type PlotScale = 'linear' | 'log';

interface RowOptions {
  readonly scale: PlotScale;
  /** 0 to below 1: see smooth. With 0 only the curves themselves are drawn. */
  readonly smoothing: number;
  /** At most this many rows come out: twice the width in device pixels shows no less. */
  readonly maxRows: number;
}

/**
 * Turns series into the rows of a plot: first the curves themselves, then, when smoothing, as many smoothed ones.
 * @param room where smoothed curves are put, one for each series, at least as long; new arrays where it is left out
 */
export function plotRows(
  { x, y }: SeriesWindow,
  { scale, smoothing, maxRows }: RowOptions,
  room: readonly Float64Array[] = [],
): PlotRows {
  const smoothed =
    smoothing === 0
      ? []
      : y.map((series, index) => {
          const out = room[index] ?? new Float64Array(series.length);
          return smooth(series, smoothing, out.subarray(0, series.length));
        });
  const rows = reduceMinMax({ x, y: [...y, ...smoothed] }, maxRows);
  return scale === 'log' ? { x: rows.x, y: rows.y.map(aboveZero) } : rows;
}

/** A logarithmic axis has no place for 0 and below: a gap is honest there. */
function aboveZero(series: readonly (number | null)[]): (number | null)[] {
  return series.map((value) => (value !== null && value > 0 ? value : null));
}
