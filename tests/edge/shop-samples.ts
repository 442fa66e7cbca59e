import { iso } from './metrics-harness.ts';

/** Metrics of a shop over eleven minutes, of each type: totals rise by as much in each. */
export function shopSamples(at: (minute: number) => number): readonly unknown[] {
  return Array.from({ length: 11 }, (_, minute) => {
    const timestamp = iso(at(minute));
    const total = (value: number, labels: object) => ({
      ...{ name: 'shop_orders_total', type: 'counter', value, labels, timestamp },
    });
    return [
      total(minute * 60, { kind: 'book', status: '2xx' }),
      total(minute * 6, { kind: 'book', status: '5xx' }),
      total(minute * 120, { kind: 'toy', status: '2xx' }),
      { name: 'shop_stock', type: 'gauge', value: minute, labels: { kind: 'book' }, timestamp },
      {
        ...{ name: 'shop_seconds', type: 'histogram', timestamp, sum: minute * 5 },
        buckets: [
          { le: 1, count: minute * 2 },
          { le: 2, count: minute * 3 },
          { le: '+Inf', count: minute * 4 },
        ],
      },
      {
        ...{ name: 'shop_calls', type: 'summary', timestamp, sum: minute, count: minute },
        quantiles: [{ quantile: 0.5, value: 0.25 }],
      },
    ];
  }).flat();
}
