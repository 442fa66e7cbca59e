import type { Matcher } from '../alerts/contract/alert-matcher.ts';

/** What an expression comes to at one time: a number, a value for each series, or their samples over a range. */
export type ValueType = 'scalar' | 'vector' | 'range';

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
export interface Grouping {
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

/** How the series of two sides find each other. */
export interface Matching {
  /** `on (…)` names the labels that count, `ignoring (…)` those that do not. */
  readonly isOn: boolean;
  readonly labels: readonly string[];
  /** The side that may have several series for one of the other: `group_left` says the left one. */
  readonly many: 'left' | 'right' | undefined;
  /** Labels that are taken over from the other side. */
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
  /** How many of them may be left out. */
  readonly optional?: number;
  readonly gives: 'scalar' | 'vector';
}

const vector = { args: ['vector'], gives: 'vector' } as const;
const range = { args: ['range'], gives: 'vector' } as const;

/** The functions that there are. */
export const FUNCTIONS = {
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
export const signatureOf = (name: FunctionName): Signature => FUNCTIONS[name];

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
