import type { Level, SeriesWindow } from '../../../engine/pictures.ts';
import type { TableData } from '../chart/table-data.ts';
import { lastRow, nearestRow, tableRows, trendOf, type Trend } from './reading.ts';
import type { ChartText } from '../chart/chart-text.ts';

/** Names for what is drawn: of each series, and of the x axis ("step"). */
interface SeriesNames {
  readonly series: readonly string[];
  readonly axis: string;
}

const TABLE_ROWS = 100;

const TREND_KEYS = {
  rising: 'series.rising',
  falling: 'series.falling',
  steady: 'series.steady',
  unknown: 'series.unknown',
} as const satisfies Readonly<Record<Trend, string>>;

/** One sentence a curve: "loss 0.31 at step 1,200, falling". Curves without a value are left out. */
export function describeSeries({ t, format }: ChartText, window: SeriesWindow, names: SeriesNames) {
  return names.series.flatMap((name, index) => {
    const series = window.y[index];
    const row = series ? lastRow(series) : -1;
    if (!series || row < 0) return [];
    return t(TREND_KEYS[trendOf(series)], {
      name,
      value: format.number(series[row] ?? Number.NaN),
      axis: names.axis,
      x: window.x[row] ?? Number.NaN,
    });
  });
}

/** One sentence a level: "bigram 2.48". */
export const describeLevels = ({ t, format }: ChartText, levels: readonly Level[]) =>
  levels.map(({ name, value }) => t('series.value', { name, value: format.number(value) }));

/** Values at the row nearest to `x`: "step 1,200: loss 0.31, accuracy 0.92". Empty without rows. */
export function describePoint(
  text: ChartText,
  window: SeriesWindow,
  names: SeriesNames,
  x: number,
): string {
  const row = nearestRow(window.x, x);
  if (row < 0) return '';
  const values = names.series.flatMap((name, index) => {
    const value = window.y[index]?.[row] ?? Number.NaN;
    return Number.isNaN(value)
      ? []
      : text.t('series.value', { name, value: text.format.number(value) });
  });
  return text.t('series.point', {
    axis: names.axis,
    x: window.x[row] ?? Number.NaN,
    values: text.format.list(values),
  });
}

/** Rows spread over the whole window, at most a hundred. */
export function seriesTable(
  { format }: ChartText,
  window: SeriesWindow,
  names: SeriesNames,
): TableData {
  return {
    columns: [names.axis, ...names.series],
    rows: tableRows(window, TABLE_ROWS).map((row) =>
      [window.x, ...window.y].map((values) => format.number(values[row] ?? Number.NaN)),
    ),
  };
}
