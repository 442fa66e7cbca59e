import type { Sequence, Store } from '../../../kernel-language/body.ts';
import { LEVEL } from '../../../kernel-language/levels.ts';
import { pushed, pushWords } from './arithmetic.ts';
import type { FunctionCode, Local } from './function-code.ts';
import { eachItem, eachStep, storeAll } from './loops.ts';
import { copiesOf, LANES, VECTOR_BYTES, writesBits } from './plan.ts';
import type { ValueEmitter } from './values.ts';

/** A few vectors through all steps, their states in registers. */
export function emitLanes(values: ValueEmitter): void {
  const { code, analysis } = values;
  const { body } = analysis;
  const copies = copiesOf(analysis);
  const lanes = copies * LANES;
  values.enter(LEVEL.call);
  const width = pushed(code, () => values.addresses.pushSize(body.domain.at(-1)?.size ?? 1));
  const groups = pushed(code, () => pushGroups(values, lanes));
  eachItem(
    values,
    (column) => {
      const left = pushed(code, () => {
        code.get(width);
        code.get(column);
        code.op('i32.sub');
      });
      code.get(left);
      code.whole(lanes);
      code.op('i32.ge_s');
      code.branch(
        () => runItem(values, copies, undefined),
        () => runItem(values, copies, left),
      );
    },
    { groups, lanes },
  );
}

/** Lanes of one item; `left` of them, where the row ends in it. */
function runItem(values: ValueEmitter, copies: number, left: Local | undefined): void {
  values.leave(LEVEL.item);
  values.leave(LEVEL.step);
  values.enter(LEVEL.item);
  runLanes(values, copies, left);
}

/** Groups of lanes of a row; with bits, all of its words. */
function pushGroups(values: ValueEmitter, lanes: number): void {
  const { code, analysis } = values;
  const size = analysis.body.domain.at(-1)?.size ?? 1;
  values.addresses.pushSize(size);
  if (writesBits(analysis)) {
    pushWords(code);
    code.whole(32 / lanes);
    code.op('i32.mul');
    return;
  }
  code.whole(lanes - 1);
  code.op('i32.add');
  code.whole(lanes);
  code.op('i32.div_u');
}

function runLanes(values: ValueEmitter, copies: number, left: Local | undefined): void {
  const { code, analysis } = values;
  const { body } = analysis;
  const all = Array.from({ length: copies }, (_, copy) => ({
    immediate: copy * VECTOR_BYTES,
    // Of a whole word.
    isAligned: copies === 8,
  }));
  let states: Local[][] = [];
  const bindStates = (sequence: Sequence, copy: number) => {
    for (const [index, { name, type }] of sequence.states.entries()) {
      values.bind(body.pool.state(name, type), states[copy]?.[index] ?? 0);
    }
  };
  const eachCopy = (run: (copy: number) => void) =>
    runCopies(code, { copies, left, first: 0 }, (copy) => {
      values.moveTo(all[copy] ?? { immediate: 0 });
      run(copy);
    });
  for (const sequence of body.sequences) {
    states = all.map((position) => {
      values.moveTo(position);
      return sequence.states.map(({ initial }) => {
        values.pushVector(initial);
        return code.keep('v128');
      });
    });
    eachStep(values, sequence, () => {
      const stores = lanesStores(values, sequence.stores, left);
      eachCopy((copy) => {
        bindStates(sequence, copy);
        const nexts = sequence.states.map(({ next }) => {
          values.pushVector(next);
          return code.keep('v128');
        });
        stores.add(copy);
        for (const [index, next] of nexts.entries()) {
          code.get(next);
          code.set(states[copy]?.[index] ?? 0);
        }
      });
      stores.finish(copies);
    });
  }
  const last = body.sequences.at(-1);
  const stores = lanesStores(values, body.stores, left);
  eachCopy((copy) => {
    if (last) bindStates(last, copy);
    stores.add(copy);
  });
  stores.finish(copies);
}

interface Copies {
  readonly copies: number;
  readonly left: Local | undefined;
  readonly first: number;
}

/** Runs copies from `first` on, as far as the row has lanes for them: one comparison tells that there are no more. */
function runCopies(
  code: FunctionCode,
  { copies, left, first }: Copies,
  run: (copy: number) => void,
): void {
  run(first);
  const next = first + 1;
  if (next === copies) return;
  const others = () => runCopies(code, { copies, left, first: next }, run);
  if (left === undefined) {
    others();
    return;
  }
  code.get(left);
  code.whole(LANES * next);
  code.op('i32.gt_s');
  code.branch(others);
}

/** Stores of several vectors side by side, whose bits are collected. */
function lanesStores(values: ValueEmitter, stores: readonly Store[], left: Local | undefined) {
  const { code } = values;
  const packed = stores.filter(
    ({ operand }) => values.addresses.layout(operand).element === 'bits',
  );
  const others = stores.filter((one) => !packed.includes(one));
  const words = packed.map(() => code.local('i32'));
  return {
    add(copy: number): void {
      for (const [index, { value }] of packed.entries()) {
        values.pushMask(value);
        code.op('i32x4.bitmask');
        if (copy > 0) {
          code.whole(LANES * copy);
          code.op('i32.shl');
          code.get(words[index] ?? 0);
          code.op('i32.or');
        }
        code.set(words[index] ?? 0);
      }
      if (others.length === 0) return;
      const own =
        left === undefined
          ? undefined
          : pushed(code, () => {
              code.get(left);
              code.whole(LANES * copy);
              code.op('i32.sub');
            });
      storeAll(values, others, own);
    },
    finish(copies: number): void {
      values.moveTo({ immediate: 0 });
      for (const [index, store] of packed.entries()) {
        pushPackedAddress(values, store, copies);
        code.get(words[index] ?? 0);
        if (left !== undefined) {
          pushLaneBits(code, left);
          code.op('i32.and');
        }
        code.access(copies === 8 ? 'i32.store' : copies === 4 ? 'i32.store16' : 'i32.store8');
      }
    },
  };
}

/** As many bits as lanes are left: none where that is below 0, fewer than 32. */
export function pushLaneBits(code: FunctionCode, left: Local): void {
  code.whole(1);
  code.get(left);
  code.op('i32.shl');
  code.whole(1);
  code.op('i32.sub');
  code.whole(0);
  code.get(left);
  code.whole(0);
  code.op('i32.gt_s');
  code.op('select');
}

function pushPackedAddress(values: ValueEmitter, store: Store, copies: number): void {
  const { code } = values;
  values.addresses.pushWord(store);
  if (copies === 8) return;
  values.addresses.start();
  code.whole(31);
  code.op('i32.and');
  code.whole(3);
  code.op('i32.shr_u');
  code.op('i32.add');
}
