import { distributionOf, quantileOf } from '../monitoring/distribution.ts';
import type { FunctionName, Selector } from './ast.ts';
import { keep, keyOf, mapped, present, type Series, type Value, vectorOf } from './vectors.ts';

type Numbers = readonly number[];

/** Functions of each value, with the numbers that follow it. */
const EACH: Readonly<Partial<Record<FunctionName, (value: number, ...more: Numbers) => number>>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  floor: Math.floor,
  exp: Math.exp,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sqrt: Math.sqrt,
  sgn: Math.sign,
  // Halves are rounded up, also those below 0.
  round: (value, to = 1) => Math.floor(value / to + 0.5) * to,
  clamp_min: (value, least = NaN) => Math.max(value, least),
  clamp_max: (value, most = NaN) => Math.min(value, most),
};

const scalarsOf = (value: Value | undefined): Numbers =>
  value?.type === 'scalar' ? value.values : [];
const seriesOf = (value: Value | undefined): readonly Series[] =>
  value?.type === 'vector' ? value.series : [];

/** A function of values that are known; those of ranges are answered by the store. */
export function call(name: FunctionName, args: readonly Value[], times: Numbers): Value {
  const [first, ...rest] = args;
  const each = EACH[name];
  if (each) {
    const more = rest.map(scalarsOf);
    const one = (value: number, i: number) =>
      each(value, ...more.map((values) => values[i] ?? NaN));
    return vectorOf(seriesOf(first).map((series) => mapped(series, one)));
  }
  switch (name) {
    case 'time':
      return { type: 'scalar', values: times.map((at) => at / 1000) };
    case 'vector':
      return vectorOf([{ name: null, labels: {}, values: scalarsOf(first) }]);
    case 'scalar':
      return { type: 'scalar', values: onlyOf(seriesOf(first), times) };
    case 'clamp':
      return vectorOf(clamped(seriesOf(first), scalarsOf(rest[0]), scalarsOf(rest[1])));
    case 'sort':
    case 'sort_desc':
      return vectorOf(sorted(seriesOf(first), name === 'sort' ? 1 : -1));
    default:
      return vectorOf(histogramQuantile(scalarsOf(first), seriesOf(rest[0])));
  }
}

/** The value where there is one series, else not a number. */
const onlyOf = (all: readonly Series[], times: Numbers): Numbers =>
  times.map((_, i) => {
    const here = all.flatMap(({ values }) => values[i] ?? []);
    return here.length === 1 ? (here[0] ?? NaN) : NaN;
  });

/** Nothing where the minimum exceeds the maximum. */
const clamped = (all: readonly Series[], least: Numbers, most: Numbers): readonly Series[] =>
  present(
    all.map(({ labels, values }) => ({
      name: null,
      labels,
      values: values.map((value, i) => {
        const [low, high] = [least[i] ?? NaN, most[i] ?? NaN];
        return value === undefined || low > high ? undefined : Math.max(low, Math.min(high, value));
      }),
    })),
  );

/** By the newest value: the order of a result over a range means nothing. */
const sorted = (all: readonly Series[], sign: 1 | -1): readonly Series[] =>
  all.toSorted((a, b) => sign * ((a.values.at(-1) ?? NaN) - (b.values.at(-1) ?? NaN)));

/** The quantiles of buckets distinguished by the label le. */
function histogramQuantile(quantiles: Numbers, all: readonly Series[]): readonly Series[] {
  const buckets = all.flatMap((series) => {
    const le = boundOf(series.labels['le']);
    return le === undefined ? [] : [{ le, series }];
  });
  const groups = Map.groupBy(buckets, ({ series }) => keyOf(withoutLe(series)));
  return present(
    [...groups.values()].flatMap((members) => {
      const [first] = members;
      if (!first) return [];
      const values = first.series.values.map((_, i) => {
        const here = members.flatMap(({ le, series }) => {
          const count = series.values[i];
          return count === undefined ? [] : [{ le, count }];
        });
        return here.length === 0 ? undefined : quantileAmong(here, quantiles[i] ?? NaN);
      });
      return [{ name: null, labels: withoutLe(first.series), values }];
    }),
  );
}

const withoutLe = ({ labels }: Series) => keep(labels, (name) => name !== 'le');

function boundOf(text: string | undefined): number | undefined {
  const bound = text === '+Inf' ? Infinity : Number(text === undefined || text === '' ? NaN : text);
  return Number.isNaN(bound) ? undefined : bound;
}

interface Bucket {
  readonly le: number;
  readonly count: number;
}

function quantileAmong(buckets: readonly Bucket[], quantile: number): number {
  if (Number.isNaN(quantile)) return NaN;
  if (quantile < 0) return -Infinity;
  if (quantile > 1) return Infinity;
  const joined = Map.groupBy(buckets, ({ le }) => le);
  let highest = 0;
  const rising = [...joined]
    .toSorted(([a], [b]) => a - b)
    .map(([le, same]) => {
      const count = same.reduce((sum, bucket) => sum + bucket.count, 0);
      // Rates of buckets may differ in their last digits.
      highest = Math.max(highest, count);
      return { le, count: highest };
    });
  if (rising.at(-1)?.le !== Infinity) return NaN;
  const distribution = distributionOf({ buckets: rising });
  return typeof distribution === 'string' ? NaN : (quantileOf(distribution, quantile) ?? NaN);
}

/** 1 at each time when a selector finds nothing, labelled by its equality matchers. */
export function absence(
  selector: Selector | undefined,
  all: readonly Series[],
  times: Numbers,
): Value {
  const wanted = (selector?.matchers ?? []).filter(({ op, value }) => op === '=' && value !== '');
  const once = [...Map.groupBy(selector?.matchers ?? [], ({ name }) => name)]
    .filter(([, same]) => same.length === 1)
    .map(([name]) => name);
  const labels = wanted
    .filter(({ name }) => once.includes(name))
    .map(({ name, value }) => [name, value]);
  const values = times.map((_, i) =>
    all.some((one) => one.values[i] !== undefined) ? undefined : 1,
  );
  return vectorOf(
    present([{ name: null, labels: keep(Object.fromEntries(labels), () => true), values }]),
  );
}
