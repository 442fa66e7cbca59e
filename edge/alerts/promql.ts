import type { Condition, ConditionAgg } from './contract/alert-condition.ts';
import { formatMatcher, type Matcher } from './contract/alert-matcher.ts';
import type { Asked } from './rule.ts';

/** The quantile of those aggregations that are one. */
export const QUANTILES: Readonly<Partial<Record<ConditionAgg, number>>> = {
  p50: 0.5,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
};

/** The function over a range, by aggregation. */
export const RANGE_FUNCTIONS = {
  last: 'last_over_time',
  avg: 'avg_over_time',
  min: 'min_over_time',
  max: 'max_over_time',
  sum: 'sum_over_time',
  rate: 'rate',
  increase: 'increase',
  absent: 'absent_over_time',
} as const satisfies Partial<Record<ConditionAgg, string>>;
export type RangeAgg = keyof typeof RANGE_FUNCTIONS;

/** How the series of a group become one; rates, totals and newest values add up. */
export type Joining = 'sum' | 'avg' | 'min' | 'max';
export const joiningOf = (agg: ConditionAgg): Joining =>
  agg === 'avg' || agg === 'min' || agg === 'max' ? agg : 'sum';

interface Selected {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

/** A rule's condition as PromQL: as it came, where it is no data. */
export const writtenExpr = ({ condition, expr = '' }: Asked): string =>
  condition ? exprOf(condition) : expr;

/** Writes a condition as PromQL. */
export function exprOf(condition: Condition): string {
  const { divided_by, op, threshold = 0 } = condition;
  const value = valueExpr(condition, condition);
  const ratio = divided_by ? `${value} / ${valueExpr(condition, divided_by)}` : value;
  return `${ratio} ${op} ${threshold}`;
}

function valueExpr({ agg, window_s, by }: Condition, selected: Selected): string {
  const quantile = QUANTILES[agg];
  if (quantile !== undefined) {
    const rates = `rate(${selectorOf(selected, '_bucket')}[${durationOf(window_s)}])`;
    return `histogram_quantile(${quantile}, ${by ? grouped('sum', ['le', ...by], rates) : rates})`;
  }
  // The quantiles are the only aggregations without a function over a range.
  const name = RANGE_FUNCTIONS[agg as RangeAgg];
  const ranged = `${name}(${selectorOf(selected)}[${durationOf(window_s)}])`;
  return by ? grouped(joiningOf(agg), by, ranged) : ranged;
}

const grouped = (joining: Joining, by: readonly string[], inner: string) =>
  by.length === 0 ? `${joining}(${inner})` : `${joining} by (${by.join(', ')}) (${inner})`;

const selectorOf = ({ metric, matchers }: Selected, suffix = '') =>
  metric + suffix + (matchers.length > 0 ? `{${matchers.map(formatMatcher).join(', ')}}` : '');

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** A time as Prometheus writes it, such as `5m`. */
export function durationOf(seconds: number): string {
  const unit = UNITS.find(([, size]) => seconds > 0 && seconds % size === 0);
  return unit ? `${seconds / unit[1]}${unit[0]}` : `${seconds}s`;
}
