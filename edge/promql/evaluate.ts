import { compileMatchers } from '../alerts/labels.ts';
import { aggregate } from './aggregate.ts';
import { type Expr, type FunctionName, isFunction, type Selector } from './ast.ts';
import { binary } from './binary.ts';
import { absence, call } from './functions.ts';
import { PROMQL_LIMITS, PromqlError } from './limits.ts';
import type { SeriesSource, WindowFunction } from './source.ts';
import { keep, mapped, type Series, type Value, vectorOf } from './vectors.ts';

/** The times a query is evaluated at, in milliseconds since 1970. */
export interface Times {
  readonly from: number;
  readonly steps: number;
  readonly stepMs: number;
}

/** The maximum age of the latest sample of a series. */
const LOOKBACK_S = 300;

/** Evaluates a parsed query. @throws PromqlError for errors that depend on the data */
export function evaluate(expr: Expr, source: SeriesSource, times: Times): Promise<Value> {
  return new Evaluation(source, times).value(expr);
}

const RANGE_FUNCTIONS: Readonly<Partial<Record<FunctionName, WindowFunction>>> = {
  rate: 'rate',
  increase: 'increase',
  avg_over_time: 'avg',
  min_over_time: 'min',
  max_over_time: 'max',
  sum_over_time: 'sum',
  count_over_time: 'count',
  last_over_time: 'last',
};

class Evaluation {
  readonly #source: SeriesSource;
  readonly #times: Times;
  readonly #moments: readonly number[];
  #points = 0;

  constructor(source: SeriesSource, times: Times) {
    this.#source = source;
    this.#times = times;
    this.#moments = Array.from({ length: times.steps }, (_, i) => times.from + i * times.stepMs);
  }

  async value(expr: Expr): Promise<Value> {
    switch (expr.kind) {
      case 'number':
        return { type: 'scalar', values: this.#moments.map(() => expr.value) };
      case 'negate':
        return negated(await this.value(expr.arg));
      case 'selector':
        return vectorOf(await this.#select(expr, 'last'));
      case 'call':
        return this.#call(expr);
      case 'aggregate': {
        const param = expr.param && (await this.value(expr.param));
        const numbers = param?.type === 'scalar' ? param.values : [];
        const arg = await this.value(expr.arg);
        return vectorOf(aggregate(expr, arg.type === 'vector' ? arg.series : [], numbers));
      }
      default:
        // One after the other, so that what one read counts for the next.
        return binary(expr, await this.value(expr.left), await this.value(expr.right));
    }
  }

  async #call({ name, args }: Extract<Expr, { kind: 'call' }>): Promise<Value> {
    if (!isFunction(name)) return vectorOf([]);
    const [first] = args;
    const selector = first?.kind === 'selector' ? first : undefined;
    if (selector?.rangeS !== undefined) return this.#overRange(name, selector);
    const values: Value[] = [];
    for (const arg of args) values.push(await this.value(arg));
    if (name !== 'absent') return call(name, values, this.#moments);
    const [found] = values;
    return absence(selector, found?.type === 'vector' ? found.series : [], this.#moments);
  }

  async #overRange(name: FunctionName, selector: Selector): Promise<Value> {
    const found = await this.#select(selector, RANGE_FUNCTIONS[name] ?? 'last');
    if (name === 'absent_over_time') return absence(selector, found, this.#moments);
    return vectorOf(name === 'last_over_time' ? found : found.map(nameless));
  }

  async #select(selector: Selector, fn: WindowFunction): Promise<readonly Series[]> {
    const { metric, matchers, rangeS = LOOKBACK_S, offsetS, at } = selector;
    const { from, steps, stepMs } = this.#times;
    // The store looks up equality; an empty value also matches a missing label.
    const lookups = matchers.filter(({ op, value }) => op === '=' && value !== '');
    const result = await this.#source.select({
      metric,
      labels: Object.fromEntries(
        lookups
          .filter(({ name }) => name !== 'le' && name !== 'quantile')
          .map(({ name, value }) => [name, value]),
      ),
      fn,
      windowS: rangeS,
      from: from - offsetS * 1000,
      steps,
      stepMs,
      maxPoints: PROMQL_LIMITS.points - this.#points,
    });
    if (result.kind === 'too-many') {
      const why = `${metric} has ${result.series} series here, and the query may read ${result.most} more at ${steps} times: choose fewer by their labels, or fewer steps`;
      throw new PromqlError(why, at);
    }
    if (result.kind === 'no-part') {
      throw new PromqlError(
        `${fn}_over_time is not available for the components of a ${result.type}: use rate, increase or the latest value`,
        at,
      );
    }
    this.#points += result.series.length * steps;
    const matches = compileMatchers(matchers);
    return result.series
      .filter(({ labels }) => matches(labels))
      .map(({ labels, values }) => ({ name: metric, labels: keep(labels, () => true), values }));
  }
}

const nameless = (series: Series): Series => ({ ...series, name: null });

const negated = (value: Value): Value =>
  value.type === 'scalar'
    ? { type: 'scalar', values: value.values.map((one) => -one) }
    : vectorOf(value.series.map((series) => mapped(series, (one) => -one)));
