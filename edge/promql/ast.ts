import type { Matcher } from '../alerts/contract/alert-matcher.ts';
import { PromqlError } from './limits.ts';

/** The type of an expression: a number, a value for each series, or their samples over a range. */
type ValueType = 'scalar' | 'vector' | 'range';

export interface Selector {
  readonly kind: 'selector';
  readonly metric: string;
  readonly matchers: readonly Matcher[];
  /** Undefined where it selects the newest values. */
  readonly rangeS: number | undefined;
  readonly offsetS: number;
  readonly at: number;
}

export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Expr[];
  readonly at: number;
}

/** `by (…)` or `without (…)`. */
interface Grouping {
  readonly isWithout: boolean;
  readonly labels: readonly string[];
}

export interface Aggregate {
  readonly kind: 'aggregate';
  readonly name: string;
  readonly grouping: Grouping;
  /** The k of topk, or a quantile. */
  readonly param: Expr | undefined;
  readonly arg: Expr;
  readonly at: number;
}

/** How the series of two operands are matched. */
export interface Matching {
  /** `on (…)` names the labels that count, `ignoring (…)` those that do not. */
  readonly isOn: boolean;
  readonly labels: readonly string[];
  /** The operand that may have several series per series of the other: `group_left` means the left. */
  readonly many: 'left' | 'right' | undefined;
  /** Labels copied from the other operand. */
  readonly included: readonly string[];
}

export interface Binary {
  readonly kind: 'binary';
  readonly op: string;
  readonly isBool: boolean;
  readonly matching: Matching;
  readonly left: Expr;
  readonly right: Expr;
  readonly at: number;
}

export type Expr =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'negate'; readonly arg: Expr; readonly at: number }
  | Selector
  | Call
  | Aggregate
  | Binary;

export const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '>', '<', '>=', '<=']);
export const SETS: ReadonlySet<string> = new Set(['and', 'or', 'unless']);

interface Signature {
  readonly args: readonly ValueType[];
  /** How many trailing arguments are optional. */
  readonly optional?: number;
  readonly gives: 'scalar' | 'vector';
}

const vector = { args: ['vector'], gives: 'vector' } as const;
const range = { args: ['range'], gives: 'vector' } as const;

/** The functions that there are. */
const FUNCTIONS = {
  rate: range,
  increase: range,
  avg_over_time: range,
  min_over_time: range,
  max_over_time: range,
  sum_over_time: range,
  count_over_time: range,
  last_over_time: range,
  absent_over_time: range,
  absent: vector,
  abs: vector,
  ceil: vector,
  floor: vector,
  exp: vector,
  ln: vector,
  log2: vector,
  log10: vector,
  sqrt: vector,
  sgn: vector,
  sort: vector,
  sort_desc: vector,
  round: { args: ['vector', 'scalar'], optional: 1, gives: 'vector' },
  clamp: { args: ['vector', 'scalar', 'scalar'], gives: 'vector' },
  clamp_min: { args: ['vector', 'scalar'], gives: 'vector' },
  clamp_max: { args: ['vector', 'scalar'], gives: 'vector' },
  histogram_quantile: { args: ['scalar', 'vector'], gives: 'vector' },
  scalar: { args: ['vector'], gives: 'scalar' },
  vector: { args: ['scalar'], gives: 'vector' },
  time: { args: [], gives: 'scalar' },
} as const satisfies Readonly<Record<string, Signature>>;
export type FunctionName = keyof typeof FUNCTIONS;

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);
const signatureOf = (name: FunctionName): Signature => FUNCTIONS[name];

/** The aggregations, and whether they take a number first. */
export const AGGREGATORS: ReadonlyMap<string, boolean> = new Map([
  ['sum', false],
  ['avg', false],
  ['min', false],
  ['max', false],
  ['count', false],
  ['group', false],
  ['stddev', false],
  ['stdvar', false],
  ['topk', true],
  ['bottomk', true],
  ['quantile', true],
]);

export function typeOf(expr: Expr): ValueType {
  switch (expr.kind) {
    case 'number':
      return 'scalar';
    case 'negate':
      return typeOf(expr.arg);
    case 'selector':
      return expr.rangeS === undefined ? 'vector' : 'range';
    case 'call':
      return isFunction(expr.name) ? signatureOf(expr.name).gives : 'vector';
    case 'aggregate':
      return 'vector';
    default:
      return typeOf(expr.left) === 'scalar' && typeOf(expr.right) === 'scalar'
        ? 'scalar'
        : 'vector';
  }
}

const SHOWN: Readonly<Record<ValueType, string>> = {
  scalar: 'a number',
  vector: 'one value for each series',
  range: 'a range such as x[5m]',
};

function expectType(expr: Expr, wanted: ValueType, what: string): void {
  const got = typeOf(expr);
  if (got === wanted) return;
  throw new PromqlError(`${what} takes ${SHOWN[wanted]}, got ${SHOWN[got]}`, expr.at);
}

export function checkCall(call: Call): Call {
  const { name, args, at } = call;
  if (!isFunction(name)) throw new PromqlError(`the function ${name} is not supported`, at);
  const { args: types, optional = 0 } = signatureOf(name);
  if (args.length > types.length || args.length < types.length - optional) {
    throw new PromqlError(`${name} takes ${types.length} arguments, got ${args.length}`, at);
  }
  for (const [i, arg] of args.entries()) expectType(arg, types[i] ?? 'vector', name);
  return call;
}

export function checkNegate<T extends Expr & { readonly kind: 'negate' }>(expr: T): T {
  if (typeOf(expr.arg) === 'range') expectType(expr.arg, 'vector', '-');
  return expr;
}

interface Written extends Pick<Aggregate, 'grouping' | 'at'> {
  readonly args: readonly Expr[];
}

export function checkAggregate(name: string, { grouping, args, at }: Written): Aggregate {
  const takesNumber = AGGREGATORS.get(name) ?? false;
  const wanted = takesNumber ? 2 : 1;
  const arg = args.at(-1);
  if (args.length !== wanted || !arg) {
    throw new PromqlError(`${name} takes ${wanted} arguments, got ${args.length}`, at);
  }
  const param = takesNumber ? args[0] : undefined;
  if (param) expectType(param, 'scalar', name);
  expectType(arg, 'vector', name);
  return { kind: 'aggregate', name, grouping, param, arg, at };
}

export function checkBinary(expr: Binary): Binary {
  const { op, left, right, isBool, matching, at } = expr;
  for (const side of [left, right]) {
    if (typeOf(side) === 'range') expectType(side, 'vector', op);
    if (SETS.has(op)) expectType(side, 'vector', op);
  }
  const scalars = [left, right].filter((side) => typeOf(side) === 'scalar').length;
  if (scalars === 2 && COMPARISONS.has(op) && !isBool) {
    throw new PromqlError(`${op} between two numbers needs bool`, at);
  }
  if (scalars > 0 && (matching.isOn || matching.labels.length > 0)) {
    throw new PromqlError(`on and ignoring apply to series, not numbers`, at);
  }
  return expr;
}
