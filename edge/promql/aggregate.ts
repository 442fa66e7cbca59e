import type { Aggregate } from './ast.ts';
import { keep, keyOf, present, type Series } from './vectors.ts';

/** The reducers of a group's values at one time. */
const REDUCERS: Readonly<Record<string, (values: readonly number[], param: number) => number>> = {
  sum,
  avg: (values) => sum(values) / values.length,
  min: (values) => extreme(values, (a, b) => a < b),
  max: (values) => extreme(values, (a, b) => a > b),
  count: (values) => values.length,
  group: () => 1,
  stdvar: variance,
  stddev: (values) => Math.sqrt(variance(values)),
  quantile: (values, q) => quantileAmong(values, q),
};

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

/** NaN only counts where there is nothing else. */
const extreme = (values: readonly number[], isBetter: (a: number, b: number) => boolean): number =>
  values.reduce((best, value) => (Number.isNaN(best) || isBetter(value, best) ? value : best), NaN);

function variance(values: readonly number[]): number {
  const mean = sum(values) / values.length;
  return sum(values.map((value) => (value - mean) ** 2)) / values.length;
}

/** Between the values next to the rank, as Prometheus computes it. */
function quantileAmong(values: readonly number[], q: number): number {
  if (Number.isNaN(q)) return NaN;
  if (q < 0) return -Infinity;
  if (q > 1) return Infinity;
  const sorted = values.toSorted(ascending);
  const rank = q * (sorted.length - 1);
  const low = sorted[Math.floor(rank)] ?? NaN;
  const high = sorted[Math.min(sorted.length - 1, Math.floor(rank) + 1)] ?? NaN;
  const weight = rank - Math.floor(rank);
  return low * (1 - weight) + high * weight;
}

/** NaN sorts below all others. */
function ascending(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
  return Number.isNaN(b) ? 1 : a - b;
}

/** Joins series by the labels of the grouping; topk and bottomk choose among them instead. */
export function aggregate(
  { name, grouping }: Pick<Aggregate, 'name' | 'grouping'>,
  series: readonly Series[],
  param: readonly number[],
): readonly Series[] {
  const { isWithout, labels: named } = grouping;
  const labelsOf = ({ labels }: Series) =>
    keep(labels, (label) => named.includes(label) !== isWithout);
  const groups = Map.groupBy(series, (one) => keyOf(labelsOf(one)));
  return [...groups.values()].flatMap((members) => {
    if (name === 'topk' || name === 'bottomk') return chosen(members, param, name === 'topk');
    const [first] = members;
    if (!first) return [];
    const values = first.values.map((_, i) => {
      const here = members.flatMap((member) => member.values[i] ?? []);
      return here.length === 0 ? undefined : REDUCERS[name]?.(here, param[i] ?? NaN);
    });
    return present([{ name: null, labels: labelsOf(first), values }]);
  });
}

/** The k highest or lowest of a group at each time, the first among equals; NaN comes last. */
function chosen(
  members: readonly Series[],
  param: readonly number[],
  isTop: boolean,
): readonly Series[] {
  const selected = members.map(({ values }) => values.map((): number | undefined => undefined));
  for (const [i, k] of param.entries()) {
    const here = members.flatMap((member, m) => {
      const value = member.values[i];
      return value === undefined ? [] : [{ m, value }];
    });
    const sorted = here.toSorted(({ value: a }, { value: b }) => {
      if (Number.isNaN(a) || Number.isNaN(b))
        return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
      return a === b ? 0 : isTop === a > b ? -1 : 1;
    });
    const count = Number.isNaN(k) ? 0 : Math.max(0, Math.trunc(k));
    for (const { m, value } of sorted.slice(0, count)) {
      const own = selected[m];
      if (own) own[i] = value;
    }
  }
  return present(members.map((member, m) => ({ ...member, values: selected[m] ?? [] })));
}
