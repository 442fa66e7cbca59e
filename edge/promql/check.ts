import {
  type Aggregate,
  AGGREGATORS,
  type Binary,
  type Call,
  COMPARISONS,
  type Expr,
  isFunction,
  SETS,
  signatureOf,
  typeOf,
  type ValueType,
} from './ast.ts';
import { PromqlError } from './limits.ts';

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
    throw new PromqlError(`on and ignoring stand between series, not numbers`, at);
  }
  return expr;
}
