import type { TableData } from '../chart/table-data.ts';
import type { RateBins } from './bin-rates.ts';
import type { ChartText } from '../chart/chart-text.ts';

/** One bar: how many neurons, and in which of the three ways it is drawn. */
export interface Bar {
  readonly kind: 'dead' | 'live' | 'saturated';
  readonly count: number;
  /** The bar in words: what is read at it. */
  readonly words: string;
  /** Its place on the axis in words: the first cell of its row in the table. */
  readonly range: string;
}

const SENTENCES = { median: 'histogram.median', mean: 'histogram.mean' } as const;

/** The bars from left to right: the dead, the bins, the saturated. */
export function barsOf({ t, format }: ChartText, rates: RateBins): Bar[] {
  const live = rates.bins.map(({ from, to, count }): Bar => {
    const edges = { from: format.percent(from), to: format.percent(to) };
    return {
      kind: 'live',
      count,
      words: t('histogram.bin', { ...edges, count }),
      range: t('histogram.range', edges),
    };
  });
  const saturated = { from: format.percent(rates.saturatedAt), count: rates.saturated };
  return [
    {
      kind: 'dead',
      count: rates.dead,
      words: t('histogram.deadBin', { count: rates.dead }),
      range: t('histogram.dead'),
    },
    ...live,
    {
      kind: 'saturated',
      count: rates.saturated,
      words: t('histogram.saturatedBin', saturated),
      range: t('histogram.saturated'),
    },
  ];
}

/** "128 neurons: median firing rate 4.2%; 3 dead, 0 saturated." */
export function describeRates({ t, format }: ChartText, rates: RateBins): string {
  const { neurons, centre, dead, saturated } = rates;
  return t(SENTENCES[centre.kind], {
    count: neurons,
    rate: format.percent(centre.rate),
    dead,
    saturated,
  });
}

export function histogramTable({ t }: ChartText, bars: readonly Bar[]): TableData {
  return {
    columns: [t('histogram.rateColumn'), t('histogram.neuronsColumn')],
    rows: bars.map((bar) => [bar.range, String(bar.count)]),
  };
}
