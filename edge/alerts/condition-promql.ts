import {
  type Aggregate,
  type Binary,
  type Call,
  type Expr,
  type Selector,
  typeOf,
} from '../promql/ast.ts';
import { PromqlError } from '../promql/limits.ts';
import { parsePromql } from '../promql/parse.ts';
import { formatMatcher, type Matcher } from './contract/alert-matcher.ts';
import { CompareOp, Condition, type ConditionAgg } from './contract/alert-rule.ts';

/** A condition as data; where only PromQL can express it, it is null and `expr` is the query. */
export interface RuleExpression {
  readonly condition: Condition | null;
  readonly expr?: string | undefined;
}

/** The quantiles among the aggregations. */
const QUANTILES: Readonly<Partial<Record<ConditionAgg, number>>> = {
  p50: 0.5,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
};

/** The PromQL function over a range for each other aggregation. */
const RANGE_FUNCTIONS = {
  last: 'last_over_time',
  avg: 'avg_over_time',
  min: 'min_over_time',
  max: 'max_over_time',
  sum: 'sum_over_time',
  rate: 'rate',
  increase: 'increase',
  absent: 'absent_over_time',
} as const satisfies Partial<Record<ConditionAgg, string>>;
type RangeAgg = keyof typeof RANGE_FUNCTIONS;

/** How the series of a group are aggregated; rates, totals and latest values are summed. */
export type Joining = 'sum' | 'avg' | 'min' | 'max';
export const joiningOf = (agg: ConditionAgg): Joining =>
  agg === 'avg' || agg === 'min' || agg === 'max' ? agg : 'sum';

interface Selected {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

/** The PromQL of a rule. */
export const promqlOf = ({ condition, expr = '' }: RuleExpression): string =>
  condition ? exprOf(condition) : expr;

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

/** Reads the query of a rule, as data where that can express it. @throws PromqlError */
export function readExpr(query: string): RuleExpression {
  const expr = parsePromql(query);
  const condition = conditionOf(expr);
  if (condition) return { condition };
  if (typeOf(expr) === 'vector') return { condition: null, expr: query };
  throw new PromqlError('a condition gives series, got a number or a range', expr.at);
}

/**
 * A query as data: one aggregation of one metric, or a ratio of two, compared with a number. Undefined
 * for any other query.
 */
export function conditionOf(expr: Expr): Condition | undefined {
  const comparison = comparisonOf(expr);
  const { left = expr, ...compared } = comparison ?? {};
  const value = aggregationOf(left) ?? ratioOf(left);
  if (!value || (!comparison && value.agg !== 'absent')) return undefined;
  return Condition.safeParse({ ...value, ...compared }).data;
}

/** A ratio of one aggregation of two metrics. */
function ratioOf(expr: Expr) {
  if (expr.kind !== 'binary' || expr.op !== '/' || !isPlain(expr)) return undefined;
  const value = aggregationOf(expr.left);
  const divisor = aggregationOf(expr.right);
  if (!value || !divisor || !isSameForm(value, divisor)) return undefined;
  const { metric, matchers } = divisor;
  return { ...value, divided_by: { metric, matchers } };
}

/** The parts of a query that compares with a finite number. */
export function comparisonOf(expr: Expr) {
  if (expr.kind !== 'binary' || !isPlain(expr)) return undefined;
  const op = CompareOp.safeParse(expr.op);
  const threshold = numberOf(expr.right);
  if (!op.success || !Number.isFinite(threshold)) return undefined;
  return { left: expr.left, op: op.data, threshold };
}

function numberOf(expr: Expr): number {
  if (expr.kind === 'negate') return -numberOf(expr.arg);
  return expr.kind === 'number' ? expr.value : NaN;
}

const isPlain = ({ isBool, matching: { isOn, labels, many } }: Binary): boolean =>
  !isBool && !isOn && labels.length === 0 && many === undefined;

/** The window of a selector without a range, as in Prometheus. */
const LOOKBACK_S = 300;

interface Aggregation extends Selected {
  readonly agg: ConditionAgg;
  readonly window_s: number;
  readonly by?: readonly string[];
}

const isSameForm = (a: Aggregation, b: Aggregation): boolean =>
  a.agg === b.agg &&
  a.window_s === b.window_s &&
  a.by?.toSorted().join() === b.by?.toSorted().join();

function aggregationOf(expr: Expr | undefined): Aggregation | undefined {
  switch (expr?.kind) {
    case 'selector':
      return selectedBy('last', expr);
    case 'call':
      return expr.name === 'histogram_quantile' ? quantileOf(expr) : calledOf(expr);
    case 'aggregate':
      return groupOf(expr);
    default:
      return undefined;
  }
}

const selectedBy = (
  agg: ConditionAgg,
  { metric, matchers, rangeS, offsetS }: Selector,
): Aggregation | undefined =>
  offsetS === 0 ? { agg, metric, matchers, window_s: rangeS ?? LOOKBACK_S } : undefined;

function calledOf({ name, args: [selector] }: Call): Aggregation | undefined {
  const found = Object.entries(RANGE_FUNCTIONS).find(([, range]) => range === name)?.[0];
  const agg = name === 'absent' ? 'absent' : found;
  if (agg === undefined || selector?.kind !== 'selector') return undefined;
  return selectedBy(agg as RangeAgg, selector);
}

function groupOf({ name, grouping, arg }: Aggregate): Aggregation | undefined {
  const inner = aggregationOf(arg);
  if (!inner || inner.by || inner.agg === 'absent' || inner.agg in QUANTILES) return undefined;
  if (grouping.isWithout || joiningOf(inner.agg) !== name) return undefined;
  return { ...inner, by: grouping.labels };
}

/** `histogram_quantile(0.99, sum by (le) (rate(x_bucket[5m])))`, or of `rate` alone. */
function quantileOf({ args: [wanted, arg] }: Call): Aggregation | undefined {
  const quantile = wanted && numberOf(wanted);
  const agg = Object.entries(QUANTILES).find(([, value]) => value === quantile)?.[0];
  const rates = aggregationOf(arg);
  if (agg === undefined || !rates || !isOfBuckets(rates)) return undefined;
  const by = rates.by?.filter((name) => name !== 'le');
  const metric = rates.metric.slice(0, -'_bucket'.length);
  return { ...rates, metric, agg: agg as ConditionAgg, ...(by && { by }) };
}

const isOfBuckets = ({ agg, metric, by }: Aggregation): boolean =>
  agg === 'rate' && metric.endsWith('_bucket') && (by?.includes('le') ?? true);
