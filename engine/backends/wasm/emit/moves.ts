import type { Store } from '../../../kernel-language/body.ts';
import {
  type Apply,
  closureOf,
  type Expression,
  type Load,
  partsOf,
} from '../../../kernel-language/expression.ts';
import { type Access, LEVEL } from '../../../kernel-language/levels.ts';
import { advance, leftFrom, pushed, reaches, shifted } from './arithmetic.ts';
import type { FunctionCode, Local } from './function-code.ts';
import { eachVector, storeAll } from './loops.ts';
import { LANES, VECTOR_BYTES } from './plan.ts';
import { eachParted, partingOf } from './parted.ts';
import type { ValueEmitter } from './values.ts';

/**
 * Stores what lies along `count` places of a row. What the whole row shares is chosen outside of the loop; where
 * it is one operand, what is moved or zero is moved as a whole. `prepare` comes before each vector.
 */
export function storeAlong(
  values: ValueEmitter,
  stores: readonly Store[],
  count: Local,
  prepare?: (offset: Local) => void,
): void {
  const { code, analysis } = values;
  const [only, ...others] = stores.filter(({ value, ...to }) => !isKept(values, value, to));
  if (!only) return;
  const { value } = only;
  const { until } = analysis.body;
  const condition = uniformChoice(values, value);
  if (condition && others.every((one) => uniformChoice(values, one.value) === condition)) {
    const choose = (side: 1 | 2) => () => {
      const chosen = [only, ...others].map((one) => ({ ...one, value: argOf(one.value, side) }));
      storeAlong(values, chosen, count, prepare);
    };
    values.pushCondition(condition);
    code.branch(choose(1), choose(2));
  } else if (others.length > 0) storeVectors(values, [only, ...others], { count, prepare });
  else if (until && isZeroBehind(values, value, until)) storeUntil(values, only, { count, until });
  else if (isZero(value)) fill(values, only, count);
  else if (value.kind === 'load' && isMoved(values, value, only)) {
    moveRow(values, { store: only, value }, count);
  } else storeVectors(values, [only], { count, prepare });
}

/** A row whose places from `until` on are zero: one vector may hold both. */
function storeUntil(
  values: ValueEmitter,
  store: Store,
  { count, until }: { count: Local; until: Expression },
): void {
  const { code } = values;
  const end = pushed(code, () => values.pushScalar(until));
  const value = argOf(store.value, 1);
  eachVector(values, end, (left, offset) => {
    if (left === undefined) {
      storeAll(values, [{ ...store, value }], undefined);
      return;
    }
    const bytes = pushed(code, () => shifted(code, count, 2));
    storeAll(values, [store], leftFrom(code, offset, bytes));
  });
  const first = pushed(code, () => {
    code.get(end);
    code.whole(LANES - 1);
    code.op('i32.add');
    code.whole(-LANES);
    code.op('i32.and');
  });
  fill(values, store, count, first);
}

const FOUR_VECTORS = 4 * VECTOR_BYTES;

/** Vector by vector; four at a time where they share random draws, or whole bytes of bits. */
function storeVectors(
  values: ValueEmitter,
  stores: readonly Store[],
  { count, prepare }: { count: Local; prepare: ((offset: Local) => void) | undefined },
): void {
  const { code } = values;
  const fours = (offset: Local, bytes: Local) =>
    code.loop(
      () => reaches(code, offset, FOUR_VECTORS, bytes),
      () => {
        const take = values.hasDraws ? values.drawAhead({ offset, immediate: 0 }) : undefined;
        for (let copy = 0; copy < 4; copy++) {
          values.moveTo({ offset, immediate: copy * VECTOR_BYTES, isAligned: true });
          take?.(copy);
          prepare?.(offset);
          storeAll(values, stores, undefined);
        }
        advance(code, offset, FOUR_VECTORS);
      },
    );
  const store = (left: Local | undefined, offset: Local) => {
    prepare?.(offset);
    storeAll(values, stores, left);
  };
  const parting = partingOf(values, stores);
  if (parting && !values.hasDraws) {
    eachParted(values, { count, parting }, store);
    return;
  }
  const isByFours = values.hasDraws || readsBits(values, stores);
  eachVector(values, count, store, { ahead: isByFours ? fours : undefined });
}

/** Places up to which a loop is quicker than the instruction that moves a whole row: a call, wherever it runs. */
const SHORT = 128;

/** Runs `long` for more than a few places, else `short`. */
function byLength(code: FunctionCode, count: Local, long: () => void, short: () => void): void {
  code.get(count);
  code.whole(SHORT);
  code.op('i32.gt_s');
  code.branch(long, short);
}

/** Moves a row; within one operand, where the rows may overlap, by the instruction that minds it. */
function moveRow(
  values: ValueEmitter,
  { store, value }: { store: Store; value: Load },
  count: Local,
): void {
  const { code, addresses } = values;
  const long = () => {
    values.moveTo({ immediate: 0 });
    addresses.pushVector(store);
    addresses.pushVector(value);
    shifted(code, count, 2);
    code.op('memory.copy');
  };
  if (value.operand === store.operand) long();
  else
    byLength(code, count, long, () =>
      eachVector(values, count, (left) => storeAll(values, [{ ...store, value }], left)),
    );
}

/** Zeros up to `end`, from place `first` of the row on. */
function fill(values: ValueEmitter, store: Store, end: Local, first?: Local): void {
  const { code } = values;
  const count =
    first === undefined
      ? end
      : pushed(code, () => {
          code.get(end);
          code.get(first);
          code.op('i32.sub');
        });
  const long = () => {
    values.moveTo({ immediate: 0 });
    values.addresses.pushVector(store);
    if (first !== undefined) {
      shifted(code, first, 2);
      code.op('i32.add');
    }
    code.whole(0);
    shifted(code, count, 2);
    code.op('memory.fill');
  };
  const zeros = { ...store, value: values.analysis.body.pool.constant(0) };
  byLength(code, count, long, () =>
    eachVector(values, end, (left) => storeAll(values, [zeros], left), { first }),
  );
}

/** The condition of a choice that the whole row shares. */
function uniformChoice({ analysis }: ValueEmitter, value: Expression): Expression | undefined {
  if (value.kind !== 'apply' || value.operator !== 'select') return undefined;
  const [condition] = value.args;
  return condition && analysis.levelOf(condition) < LEVEL.vector ? condition : undefined;
}

function argOf(value: Expression, place: number): Expression {
  const arg = partsOf(value)[place];
  if (arg) return arg;
  throw new Error('a choice has two sides');
}

/** Whether bits are read along the row. */
function readsBits({ addresses, analysis }: ValueEmitter, stores: readonly Store[]): boolean {
  return closureOf(
    stores.map(({ value }) => value),
    ({ kind }) => kind === 'reduction',
  ).some(
    (node) =>
      node.kind === 'load' &&
      addresses.layout(node.operand).element === 'bits' &&
      analysis.isAlong(node) &&
      !analysis.isScattered(node),
  );
}

/** Whether a place gets what it has. */
function isKept({ addresses }: ValueEmitter, value: Expression, to: Access): boolean {
  return value.kind === 'load' && addresses.isSame(value, to);
}

/** `place < until ? ... : 0` */
function isZeroBehind(
  { analysis }: ValueEmitter,
  value: Expression,
  until: Expression,
): value is Apply {
  const { pool, domain } = analysis.body;
  const place = pool.coordinate(domain.at(-1)?.coordinate ?? '');
  if (value.kind !== 'apply' || value.operator !== 'select') return false;
  const [condition, , otherwise] = value.args;
  return (
    condition === pool.apply('lt', place, until) && otherwise !== undefined && isZero(otherwise)
  );
}

function isMoved({ analysis, addresses }: ValueEmitter, value: Load, { operand }: Store): boolean {
  const { element } = addresses.layout(operand);
  const isSame = addresses.layout(value.operand).element === element && element !== 'bits';
  return isSame && analysis.isAlong(value) && !analysis.isScattered(value);
}

function isZero(node: Expression): boolean {
  return node.kind === 'constant' && Object.is(node.value, 0);
}
