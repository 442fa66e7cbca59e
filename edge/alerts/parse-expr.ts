import {
  CompareOp,
  Condition,
  type ConditionAgg,
  type ConditionInput,
} from './contract/alert-condition.ts';
import type { Matcher } from './contract/alert-matcher.ts';
import { ExprTokens } from './expr-tokens.ts';
import { joiningOf, QUANTILES, RANGE_FUNCTIONS } from './promql.ts';

interface Value {
  readonly agg: ConditionAgg;
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  readonly window_s: number;
  readonly by?: readonly string[];
}

/** The window of a selector without a range: how far Prometheus looks back. */
const LOOKBACK_S = 300;

const AGG_OF = new Map<string, ConditionAgg>(
  Object.entries(RANGE_FUNCTIONS).map(([agg, name]) => [name, agg as ConditionAgg]),
);
const JOININGS: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max']);

/**
 * Reads a condition from PromQL: one aggregation of one metric, or a ratio of two, compared with a
 * number. @throws SyntaxError that says what is not taken
 */
export function parseExpr(text: string): Condition {
  const tokens = new ExprTokens(text);
  const value = parseValue(tokens);
  const divisor = tokens.take('/') ? parseValue(tokens) : undefined;
  const compared = parseComparison(tokens, value.agg);
  tokens.end();
  const condition: ConditionInput = {
    ...writable(value),
    ...(divisor && { divided_by: dividedBy(value, divisor) }),
    ...compared,
  };
  const parsed = Condition.safeParse(condition);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SyntaxError(`${issue?.path.join('.')}: ${issue?.message}`);
}

const writable = ({ by, matchers, ...value }: Value) => ({
  ...value,
  matchers: [...matchers],
  ...(by && { by: [...by] }),
});

function parseComparison(tokens: ExprTokens, agg: ConditionAgg) {
  if (agg === 'absent' && tokens.isAtEnd()) return {};
  const op = CompareOp.safeParse(tokens.next());
  if (!op.success) throw tokens.fault('expected a comparison such as > 0.5');
  return { op: op.data, threshold: tokens.number() };
}

function dividedBy(value: Value, { metric, matchers, agg, window_s, by }: Value) {
  const same =
    agg === value.agg &&
    window_s === value.window_s &&
    by?.toSorted().join() === value.by?.toSorted().join();
  if (!same) {
    throw new SyntaxError(
      'both sides of a ratio must have one function, one window and one grouping',
    );
  }
  return { metric, matchers: [...matchers] };
}

function parseValue(tokens: ExprTokens): Value {
  if (tokens.take('(')) {
    const inner = parseValue(tokens);
    tokens.expect(')');
    return inner;
  }
  const name = tokens.identifier();
  const isCall = tokens.peek() === '(';
  if (JOININGS.has(name) && (isCall || tokens.peek() === 'by')) return parseGrouped(tokens, name);
  if (isCall) return parseCall(tokens, name);
  return { agg: 'last', metric: name, matchers: tokens.matchers(), window_s: LOOKBACK_S };
}

function parseCall(tokens: ExprTokens, name: string): Value {
  if (name === 'histogram_quantile') return parseQuantile(tokens);
  if (name === 'absent') return parseAbsent(tokens);
  const agg = AGG_OF.get(name);
  if (agg === undefined) throw tokens.fault(`${name} is not taken`);
  return parseRange(tokens, agg);
}

function parseRange(tokens: ExprTokens, agg: ConditionAgg): Value {
  tokens.expect('(');
  const metric = tokens.identifier();
  const matchers = tokens.matchers();
  const window_s = tokens.range();
  tokens.expect(')');
  return { agg, metric, matchers, window_s };
}

function parseAbsent(tokens: ExprTokens): Value {
  tokens.expect('(');
  const metric = tokens.identifier();
  const matchers = tokens.matchers();
  tokens.expect(')');
  return { agg: 'absent', metric, matchers, window_s: LOOKBACK_S };
}

/** `sum by (a) (…)` or `sum(…) by (a)`. */
function parseGrouped(tokens: ExprTokens, joining: string): Value {
  const before = parseBy(tokens);
  tokens.expect('(');
  const inner = parseValue(tokens);
  tokens.expect(')');
  const by = before ?? parseBy(tokens) ?? [];
  if (inner.by || inner.agg === 'absent' || inner.agg in QUANTILES) {
    throw tokens.fault(`${joining} goes around one function of one metric`);
  }
  if (joiningOf(inner.agg) !== joining) {
    throw tokens.fault(`expected ${joiningOf(inner.agg)} around ${inner.agg}, not ${joining}`);
  }
  return { ...inner, by };
}

function parseBy(tokens: ExprTokens): readonly string[] | undefined {
  return tokens.take('by') ? tokens.names() : undefined;
}

/** `histogram_quantile(0.99, sum by (le) (rate(x_bucket[5m])))`, or of `rate` alone. */
function parseQuantile(tokens: ExprTokens): Value {
  tokens.expect('(');
  const wanted = tokens.number();
  tokens.expect(',');
  const inner = parseValue(tokens);
  tokens.expect(')');
  const agg = Object.entries(QUANTILES).find(([, quantile]) => quantile === wanted)?.[0];
  if (agg === undefined)
    throw tokens.fault(`the quantile ${wanted}, expected 0.5, 0.9, 0.95, 0.99`);
  if (inner.agg !== 'rate' || !inner.metric.endsWith('_bucket')) {
    throw tokens.fault('a quantile is of rate(…_bucket[…]), or of its sum by (le, …)');
  }
  if (inner.by && !inner.by.includes('le')) throw tokens.fault('a quantile needs le in its sum by');
  const by = inner.by?.filter((name) => name !== 'le');
  const metric = inner.metric.slice(0, -'_bucket'.length);
  return { ...inner, metric, agg: agg as ConditionAgg, ...(by && { by }) };
}
