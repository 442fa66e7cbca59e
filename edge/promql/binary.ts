import type { Labels } from '../monitoring/sample.ts';
import { type Binary, COMPARISONS, type Matching, SETS } from './ast.ts';
import { PromqlError } from './limits.ts';
import { keep, keyOf, present, type Series, type Value, vectorOf } from './vectors.ts';

/**
 * Applies an operator to two numbers; a comparison returns the left one, or undefined where it is false.
 */
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
  if (left.type === 'vector' && right.type === 'vector') {
    const join = SETS.has(expr.op) ? setOf : matched;
    return vectorOf(join(expr, left.series, right.series));
  }
  const compute = computeOf(expr);
  if (left.type === 'vector')
    return withNumbers(expr, left.series, (a, i) => compute(a, at(right, i)));
  if (right.type === 'vector')
    return withNumbers(expr, right.series, (b, i) => compute(at(left, i), b));
  return { type: 'scalar', values: left.values.map((a, i) => compute(a, at(right, i)) ?? NaN) };
}

const at = (value: Value, i: number): number =>
  value.type === 'scalar' ? (value.values[i] ?? NaN) : NaN;

function withNumbers(
  expr: Binary,
  series: readonly Series[],
  compute: (value: number, i: number) => number | undefined,
): Value {
  const one = (value: number | undefined, i: number) => {
    const computed = value === undefined ? undefined : compute(value, i);
    return computed !== undefined && isFilter(expr) ? value : computed;
  };
  const name = (own: string | null) => (isFilter(expr) ? own : null);
  return vectorOf(
    present(series.map((own) => ({ ...own, name: name(own.name), values: own.values.map(one) }))),
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
  const where = (one: Series, others: typeof ofLeft, wanted: boolean): Series => {
    const found = others.get(matchKey(one, matching)) ?? [];
    const values = one.values.map((value, i) =>
      hereOf(found, i).length > 0 === wanted ? value : undefined,
    );
    return { ...one, values };
  };
  if (op === 'or') return present([...left, ...right.map((one) => where(one, ofLeft, false))]);
  return present(left.map((one) => where(one, ofRight, op === 'and')));
}

const hereOf = (all: readonly Series[], i: number): readonly Series[] =>
  all.filter(({ values }) => values[i] !== undefined);

/** A result series assembled from several pairs of series, at different times. */
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
  const { matching } = expr;
  // The operand that may have several series per series of the other.
  const [many, one] = matching.many === 'right' ? [right, left] : [left, right];
  const ones = Map.groupBy(one, (series) => matchKey(series, matching));
  const found = new Map<string, Merged>();
  for (const [key, group] of Map.groupBy(many, (series) => matchKey(series, matching))) {
    const others = ones.get(key) ?? [];
    for (const i of group[0]?.values.keys() ?? []) {
      const here = hereOf(group, i);
      const other = onlyOf(expr, { here, there: hereOf(others, i), key });
      if (other) for (const series of here) add(found, paired(expr, series, other, i), i);
    }
  }
  return present([...found.values()]);
}

interface Meeting {
  readonly here: readonly Series[];
  readonly there: readonly Series[];
  readonly key: string;
}

/** The series of the other side; undefined where nothing meets. @throws PromqlError */
function onlyOf(
  { matching, at: place }: Binary,
  { here, there, key }: Meeting,
): Series | undefined {
  const [other] = there;
  if (here.length === 0 || !other) return undefined;
  const isOther = there.length > 1;
  if (!isOther && (here.length === 1 || matching.many)) return other;
  const side = isOther === (matching.many !== 'right') ? 'right' : 'left';
  const how = 'group_left or group_right, or other labels';
  throw new PromqlError(`several series of the ${side} side match one, as ${key}: ${how}`, place);
}

interface Paired extends Omit<Merged, 'values'> {
  readonly value: number | undefined;
  readonly steps: number;
  readonly at: number;
}

function paired(expr: Binary, series: Series, other: Series, i: number): Paired {
  const [a, b] = expr.matching.many === 'right' ? [other, series] : [series, other];
  const computed = computeOf(expr)(a.values[i] ?? NaN, b.values[i] ?? NaN);
  const value = computed !== undefined && isFilter(expr) ? a.values[i] : computed;
  return { ...labelled(expr, series, other), value, steps: series.values.length, at: expr.at };
}

function add(found: Map<string, Merged>, one: Paired, i: number): void {
  const { name, labels, value, steps } = one;
  if (value === undefined) return;
  const key = `${name ?? ''} ${keyOf(labels)}`;
  const known = found.get(key) ?? { name, labels, values: Array.from({ length: steps }) };
  if (known.values[i] !== undefined) {
    throw new PromqlError(`two results have the same labels, ${key.trim()}`, one.at);
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
