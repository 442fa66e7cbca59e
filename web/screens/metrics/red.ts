import type { Preview } from '../../../edge/alerts/contract/alert-preview.ts';
import type { Total } from '../../api/monitoring.ts';
import type { TimeSeriesData } from '../../widgets/time-chart/time-scale.ts';

const REQUESTS = 'http_requests_total';
const DURATION = 'http_request_duration_seconds';

const QUANTILES = ['p50', 'p95', 'p99'] as const;

/** What the three charts of a service are made from. */
export const redTotals = (service: string): readonly Total[] => [
  { service, metric: REQUESTS, agg: 'rate', by: ['status'] },
  ...QUANTILES.map((agg) => ({ service, metric: DURATION, agg, by: [] })),
];

type Points = TimeSeriesData['points'];

export interface Red {
  readonly requests: Points;
  /** By what failed. */
  readonly server: Points;
  readonly client: Points;
  readonly durations: readonly TimeSeriesData[];
}

/** Sorts the answers to `redTotals` into charts. */
export function redOf([rates, ...durations]: readonly Preview[]): Red {
  const series = rates?.series ?? [];
  const requests = sumOf(series.map(({ points }) => points));
  const ofClass = (status: string) =>
    overWhole(
      requests,
      sumOf(series.flatMap((one) => (one.labels['status'] === status ? [one.points] : []))),
    );
  return {
    requests,
    server: ofClass('5xx'),
    client: ofClass('4xx'),
    durations: QUANTILES.map((name, index) => ({
      name,
      points: durations[index]?.series[0]?.points ?? [],
    })),
  };
}

/** Adds up series at the moments any of them has. */
function sumOf(all: readonly Points[]): Points {
  const sums = new Map<number, number>();
  for (const points of all) {
    for (const [at, value] of points) sums.set(at, (sums.get(at) ?? 0) + (value ?? 0));
  }
  return [...sums].toSorted(([a], [b]) => a - b);
}

/** Each part as a share of the whole; nothing where nothing was asked. */
function overWhole(whole: Points, part: Points): Points {
  const parts = new Map(part);
  return whole.map(([at, value]) => [at, value ? (parts.get(at) ?? 0) / value : null] as const);
}
