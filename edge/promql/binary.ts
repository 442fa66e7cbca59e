import type { Labels } from '../monitoring/labels.ts';
import { type Binary, COMPARISONS, type Matching } from './ast.ts';
import { PromqlError } from './limits.ts';
import { keep, keyOf, present, type Series, type Value, vectorOf } from './vectors.ts';

/** What an operator makes of two numbers; of a comparison the left one, or undefined where it fails. */
type Compute = (left: number, right: number) => number | undefined;

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  // Of JavaScript 1 ^ NaN is NaN; of IEEE 754, and of Prometheus, 1.
  '^': (a, b) => (a === 1 || b === 0 ? 1 : a ** b),
  atan2: Math.atan2,
};
const HOLDS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
};

function computeOf({ op, isBool }: Binary): Compute {
  const holds = HOLDS[op];
  if (!holds) return ARITHMETIC[op] ?? (() => undefined);
  if (isBool) return (a, b) => (holds(a, b) ? 1 : 0);
  return (a, b) => (holds(a, b) ? a : undefined);
}

/** A comparison without bool is a filter: its series stay what they were. */
const isFilter = ({ op, isBool }: Binary) => COMPARISONS.has(op) && !isBool;

/** @throws PromqlError where several series match one */
export function binary(expr: Binary, left: Value, right: Value): Value {
  const compute = computeOf(expr);
  if (left.type === 'scalar' && right.type === 'scalar') {
    const values = left.values.map((a, i) => compute(a, right.values[i] ?? NaN) ?? NaN);
    return { type: 'scalar', values };
  }
  if (left.type === 'vector' && right.type === 'vector') {
    if (expr.op === 'and' || expr.op === 'or' || expr.op === 'unless') {
      return vectorOf(setOf(expr, left.series, right.series));
    }
    return vectorOf(matched(expr, left.series, right.series));
  }
  const series = left.type === 'vector' ? left.series : right.type === 'vector' ? right.series : [];
  const scalar = left.type === 'scalar' ? left : right.type === 'scalar' ? right : undefined;
  const isSwapped = left.type === 'scalar';
  const one = (value: number, i: number) => {
    const other = scalar?.values[i] ?? NaN;
    const computed = isSwapped ? compute(other, value) : compute(value, other);
    return computed !== undefined && isFilter(expr) ? value : computed;
  };
  return vectorOf(
    present(
      series.map(({ name, labels, values }) => ({
        name: isFilter(expr) ? name : null,
        labels,
        values: values.map((value, i) => (value === undefined ? undefined : one(value, i))),
      })),
    ),
  );
}

const matchKey = ({ labels }: Series, { isOn, labels: named }: Matching): string =>
  keyOf(keep(labels, (name) => named.includes(name) === isOn));

function setOf(
  { op, matching }: Binary,
  left: readonly Series[],
  right: readonly Series[],
): readonly Series[] {
  const keyed = (all: readonly Series[]) => Map.groupBy(all, (one) => matchKey(one, matching));
  const ofLeft = keyed(left);
  const ofRight = keyed(right);
  const isThere = (all: readonly Series[] | undefined, i: number) =>
    all?.some(({ values }) => values[i] !== undefined) ?? false;
  const where = (one: Series, others: typeof ofLeft, wanted: boolean): Series => {
    const found = others.get(matchKey(one, matching));
    const values = one.values.map((value, i) => (isThere(found, i) === wanted ? value : undefined));
    return { ...one, values };
  };
  if (op === 'or') return present([...left, ...right.map((one) => where(one, ofLeft, false))]);
  return present(left.map((one) => where(one, ofRight, op === 'and')));
}

/** Series that come from several pairs of series, at different times. */
interface Merged {
  readonly name: string | null;
  readonly labels: Labels;
  readonly values: (number | undefined)[];
}

/** Pairs the series of both sides time by time, as which of them have a value changes. */
function matched(
  expr: Binary,
  left: readonly Series[],
  right: readonly Series[],
): readonly Series[] {
  const { matching, at } = expr;
  const compute = computeOf(expr);
  // The side that may have several for one of the other.
  const isSwapped = matching.many === 'right';
  const [many, one] = isSwapped ? [right, left] : [left, right];
  const ones = Map.groupBy(one, (series) => matchKey(series, matching));
  const steps = many[0]?.values.length ?? 0;
  const found = new Map<string, Merged>();
  for (const [key, group] of Map.groupBy(many, (series) => matchKey(series, matching))) {
    const others = ones.get(key) ?? [];
    for (let i = 0; i < steps; i++) {
      const here = group.filter(({ values }) => values[i] !== undefined);
      const there = others.filter(({ values }) => values[i] !== undefined);
      const [other] = there;
      if (here.length === 0 || !other) continue;
      if (there.length > 1 || (here.length > 1 && !matching.many)) {
        const side = there.length > 1 !== isSwapped ? 'right' : 'left';
        throw new PromqlError(
          `several series of the ${side} side match one, as ${key}: group_left or group_right, or other labels`,
          at,
        );
      }
      for (const series of here) {
        const [a, b] = isSwapped ? [other, series] : [series, other];
        const value = compute(a.values[i] ?? NaN, b.values[i] ?? NaN);
        const kept = value !== undefined && isFilter(expr) ? a.values[i] : value;
        add(found, labelled(expr, series, other), { i, steps, value: kept, at });
      }
    }
  }
  return present([...found.values()]);
}

interface Placed {
  readonly i: number;
  readonly steps: number;
  readonly value: number | undefined;
  readonly at: number;
}

function add(found: Map<string, Merged>, series: Omit<Merged, 'values'>, placed: Placed): void {
  const { i, steps, value, at } = placed;
  if (value === undefined) return;
  const key = `${series.name ?? ''} ${keyOf(series.labels)}`;
  const known = found.get(key) ?? { ...series, values: Array.from({ length: steps }) };
  if (known.values[i] !== undefined) {
    throw new PromqlError(`two results have the same labels, ${key.trim()}`, at);
  }
  known.values[i] = value;
  found.set(key, known);
}

function labelled(expr: Binary, series: Series, other: Series): Omit<Merged, 'values'> {
  const { isOn, labels: named, many, included } = expr.matching;
  const name = isFilter(expr) && !isOn ? series.name : null;
  if (!many)
    return { name, labels: keep(series.labels, (label) => named.includes(label) === isOn) };
  const own = keep(series.labels, (label) => !included.includes(label));
  const taken = keep(other.labels, (label) => included.includes(label));
  return {
    name: isFilter(expr) ? series.name : null,
    labels: keep({ ...own, ...taken }, () => true),
  };
}
