import type { Aggregation, MetricSeries } from '../../../edge/monitoring/contract/metrics-query.ts';
import type { MetricType } from '../../../edge/monitoring/contract/metrics.ts';
import type { TimeSeriesData } from '../../widgets/time-chart/time-scale.ts';

/** More curves than this cannot be told apart. */
const CURVES = 6;

const USUAL: Readonly<Record<MetricType, Aggregation>> = {
  counter: 'rate',
  gauge: 'avg',
  untyped: 'avg',
  histogram: 'p95',
  summary: 'p95',
};

/** What the API aggregates by where nobody says. */
export const usualAgg = (type: MetricType): Aggregation => USUAL[type];

export const namesIn = (series: readonly MetricSeries[]): string[] =>
  [...new Set(series.map(({ name }) => name))].toSorted();

/** The series with the highest values, each named by its labels, the service left out. */
export function drawnSeries(series: readonly MetricSeries[]): TimeSeriesData[] {
  return series
    .map((one) => ({
      name: nameOf(one),
      points: one.points.map(([at, value]) => [at * 1000, value] as const),
      highest: one.points.reduce((high, [, value]) => Math.max(high, value ?? high), -Infinity),
    }))
    .toSorted((a, b) => b.highest - a.highest)
    .slice(0, CURVES)
    .map(({ name, points }) => ({ name, points }));
}

function nameOf({ name, labels }: MetricSeries): string {
  const words = Object.entries(labels).filter(([label]) => label !== 'service');
  return words.length === 0 ? name : words.map(([label, value]) => `${label}=${value}`).join(' ');
}
