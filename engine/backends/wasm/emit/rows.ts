import type { Expression, Reduction } from '../../../kernel-language/expression.ts';
import { LEVEL } from '../../../kernel-language/levels.ts';
import {
  advance,
  isBelow,
  leftFrom,
  pushed,
  pushMinimum,
  reaches,
  shifted,
  subtractFrom,
  times,
} from './arithmetic.ts';
import { type FunctionCode, type Local, PARAMETERS } from './function-code.ts';
import { eachItem, storeOne } from './loops.ts';
import { storeAlong } from './moves.ts';
import { BLOCK, keptIn, LANES, VECTOR_BYTES } from './plan.ts';
import { emitSum } from './shortened.ts';
import type { ValueEmitter } from './values.ts';

/** Element by element, without rows: `first` and `last` count blocks. */
export function emitFlat(values: ValueEmitter): void {
  const { code, analysis } = values;
  const [axis] = analysis.body.domain;
  const begin = times(code, PARAMETERS.first, BLOCK);
  values.addresses.start = () => code.get(begin);
  values.enter(LEVEL.call);
  values.enter(LEVEL.item);
  const count = pushed(code, () => {
    code.get(begin);
    pushMinimum(
      code,
      () => values.addresses.pushSize(axis?.size ?? 1),
      () => {
        code.get(PARAMETERS.last);
        code.whole(BLOCK);
        code.op('i32.mul');
      },
    );
    subtractFrom(code);
  });
  storeAlong(values, analysis.body.stores, count);
}

/** Row by row: a pass over the row for sums that do not need each other, and a last one for what is stored. */
export function emitRows(values: ValueEmitter): void {
  const { code, analysis } = values;
  const { body } = analysis;
  values.enter(LEVEL.call);
  const width = pushed(code, () => values.addresses.pushSize(body.domain.at(-1)?.size ?? 1));
  const along = body.stores.filter((store) => analysis.isAlong(store));
  const reductions = analysis.all.filter((node): node is Reduction => node.kind === 'reduction');
  const passes = Math.max(0, ...reductions.map((node) => analysis.sumsBefore(node)));
  const { until } = body;
  const end = () => (until ? pushed(code, () => values.pushScalar(until)) : width);
  const kept = createKept(values, width);
  eachItem(values, () => {
    values.leave(LEVEL.item);
    values.enter(LEVEL.item);
    for (let pass = 1; pass <= passes; pass++) {
      reduce(
        values,
        reductions.filter((node) => analysis.sumsBefore(node) === pass),
        { width: end(), exchange: (offset) => kept.exchange(pass - 1, offset) },
      );
      values.enter(LEVEL.item, pass);
    }
    storeAlong(values, along, width, (offset) => kept.exchange(passes, offset));
    for (const store of body.stores) if (!analysis.isAlong(store)) storeOne(values, store);
  });
}

/** Costly values of several passes: computed in the first and kept in scratch, a row of each. */
function createKept(values: ValueEmitter, width: Local) {
  const { code, analysis, addresses } = values;
  const kept = keptIn(analysis);
  const rows = new Map<Expression, Local>();
  for (const node of kept.keys()) {
    const row = pushed(code, () => {
      code.get(PARAMETERS.scratch);
      code.get(width);
      code.whole(LANES - 1);
      code.op('i32.add');
      code.whole(2);
      code.op('i32.shr_u');
      code.whole(VECTOR_BYTES * rows.size);
      code.op('i32.mul');
      code.op('i32.add');
    });
    rows.set(node, row);
  }
  return {
    /** Writes the values of a pass that later ones need, and reads those of passes before. */
    exchange(pass: number, offset: Local): void {
      for (const [node, first] of kept) {
        if (first > pass) continue;
        code.get(rows.get(node) ?? 0);
        code.get(offset);
        code.op('i32.add');
        if (first === pass) {
          values.pushVector(node);
          code.access('v128.store', addresses.position.immediate);
        } else {
          code.access('v128.load', addresses.position.immediate);
          values.bind(node, code.keep('v128'));
        }
      }
    },
  };
}

/** Sums that are added up side by side, as each addition waits for the one before. */
const COPIES = 4;

interface Pass {
  readonly width: Local;
  /** Takes values from other passes, and leaves some to them. */
  exchange(offset: Local): void;
}

/** Sums and maxima of one pass over the row. */
function reduce(
  values: ValueEmitter,
  reductions: readonly Reduction[],
  { width, exchange }: Pass,
): void {
  const { code } = values;
  const totals = new Map(reductions.map((node) => [node, startTotals(code, node)]));
  const add = (copy: number, left: Local | undefined) => {
    for (const [node, copies] of totals) addTo(values, node, copies[copy] ?? 0, left);
  };
  const offset = code.local('i32');
  const bytes = pushed(code, () => shifted(code, width, 2));
  code.whole(0);
  code.set(offset);
  code.loop(
    () => reaches(code, offset, COPIES * VECTOR_BYTES, bytes),
    () => {
      for (let copy = 0; copy < COPIES; copy++) {
        values.moveTo({ offset, immediate: copy * VECTOR_BYTES, isAligned: true });
        exchange(offset);
        add(copy, undefined);
      }
      advance(code, offset, COPIES * VECTOR_BYTES);
    },
  );
  code.loop(
    () => isBelow(code, offset, bytes),
    () => {
      const left = leftFrom(code, offset, bytes);
      values.moveTo({ offset, immediate: 0 });
      exchange(offset);
      add(0, left);
      advance(code, offset, VECTOR_BYTES);
    },
  );
  for (const [node, copies] of totals) {
    joinTotals(code, copies, joinOf(node));
    values.bind(node, code.keep('v128'));
  }
}

function joinOf({ operator }: Reduction): 'f32x4.add' | 'f32x4.pmax' {
  return operator === 'sum' ? 'f32x4.add' : 'f32x4.pmax';
}

function startTotals(code: FunctionCode, { operator }: Reduction): Local[] {
  return Array.from({ length: COPIES }, () => {
    code.floats(operator === 'sum' ? 0 : Number.NEGATIVE_INFINITY);
    return code.keep('v128');
  });
}

/** A vector of values joined to a total; `left` lanes of it, where the row ends in it. */
function addTo(values: ValueEmitter, node: Reduction, total: Local, left: Local | undefined): void {
  const { code } = values;
  if (left === undefined && node.operator === 'sum') {
    emitSum(values, node.value, () => code.get(total));
  } else {
    code.get(total);
    values.pushVector(node.value);
    if (left !== undefined) keepLanes(code, left, node.operator);
    code.op(joinOf(node));
  }
  code.set(total);
}

/** Orders of lanes by which all four are joined in each. */
const TURNS: readonly (readonly [number, number, number, number])[] = [
  [2, 3, 0, 1],
  [1, 0, 3, 2],
];

/** Pushes what the totals, and then their lanes, are together, in each lane. */
function joinTotals(
  code: FunctionCode,
  [a = 0, b = 0, c = 0, d = 0]: readonly Local[],
  join: 'f32x4.add' | 'f32x4.pmax',
): void {
  for (const [left, right] of [
    [a, b],
    [c, d],
  ] as const) {
    code.get(left);
    code.get(right);
    code.op(join);
  }
  code.op(join);
  joinLanes(code, join);
}

/** Pushes what the lanes of a vector are together, in each lane. */
export function joinLanes(code: FunctionCode, join: 'f32x4.add' | 'f32x4.pmax'): void {
  for (const order of TURNS) {
    const total = code.keep('v128');
    code.get(total);
    code.get(total);
    code.get(total);
    code.shuffle(...order);
    code.op(join);
  }
}

/** The lanes in front of the end as they are; in the others what changes no sum, or no maximum. */
export function keepLanes(code: FunctionCode, left: Local, operator: 'sum' | 'max'): void {
  if (operator === 'max') code.floats(Number.NEGATIVE_INFINITY);
  code.wholes(0, 1, 2, 3);
  code.get(left);
  code.op('i32x4.splat');
  code.op('i32x4.lt_s');
  code.op(operator === 'max' ? 'v128.bitselect' : 'v128.and');
}
