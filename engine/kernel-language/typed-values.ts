import {
  ARITIES,
  type Expression,
  type ExpressionPool,
  type Operator,
  type ValueType,
} from './expression.ts';
import { equationError, type Token } from './tokens.ts';

/** Applies an operator to values brought to one type. */
export function applyTo(
  pool: ExpressionPool,
  operator: Operator,
  args: readonly Expression[],
  place: Token,
): Expression {
  if (args.length !== ARITIES[operator]) {
    throw equationError(`${operator} takes ${ARITIES[operator]} values`, place);
  }
  const isLogical = operator === 'and' || operator === 'or' || operator === 'not';
  if (isLogical) {
    for (const arg of args) expectType(arg, 'bool', place);
    return pool.apply(operator, ...args);
  }
  const [divisor] = args.slice(-1);
  if ((operator === 'div' || operator === 'rem') && isZero(divisor)) {
    throw equationError('division by zero', place);
  }
  return pool.apply(operator, ...alike(pool, args, place, operator === 'eq' || operator === 'ne'));
}

/**
 * Values of one type: constants take that of the others, whole numbers become floats beside floats, and
 * truth values count as 0 and 1.
 */
export function alike(
  pool: ExpressionPool,
  values: readonly Expression[],
  place: Token,
  mayBeBool = false,
): readonly Expression[] {
  const types = new Set(values.filter(({ kind }) => kind !== 'constant').map(({ type }) => type));
  if (mayBeBool && types.size === 1 && types.has('bool')) return values;
  const wanted: ValueType =
    types.size === 0 || types.has('f32') || types.has('bool')
      ? 'f32'
      : types.has('i32')
        ? 'i32'
        : 'u32';
  return values.map((value) => {
    if (value.kind === 'constant' && wanted !== 'f32' && !Number.isInteger(value.value)) {
      throw equationError(`${value.value} stands beside whole numbers: expected one, too`, place);
    }
    return pool.convert(value, wanted);
  });
}

export function expectType(value: Expression, type: ValueType, place: Token): void {
  if (value.type === type) return;
  const named = type === 'bool' ? 'a condition, such as a comparison' : type;
  throw equationError(`the value is of type ${value.type}: expected ${named}`, place);
}

function isZero(value: Expression | undefined): boolean {
  return value?.kind === 'constant' && value.value === 0;
}
