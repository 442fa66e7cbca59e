import type { Sequence, Store } from '../../../kernel-language/body.ts';
import { advance, isBelow, leftFrom, pushed, reaches, shifted } from './arithmetic.ts';
import { type FunctionCode, type Local, PARAMETERS } from './function-code.ts';
import { LEVEL } from '../../../kernel-language/levels.ts';
import { LANES, VECTOR_BYTES } from './plan.ts';
import { startRemainders } from './remainders.ts';
import type { ValueEmitter } from './values.ts';

/** The steps of a segment. */
export interface Bounds {
  readonly from: Local;
  readonly to: Local;
}

/** Steps of a sequence, or those within bounds; `body` gets the step's place. */
export function eachStep(
  values: ValueEmitter,
  sequence: Sequence,
  body: (step: Local) => void,
  bounds?: Bounds,
): void {
  const { code, analysis } = values;
  const { coordinate, from, to, isBackward = false } = sequence;
  const step = code.local('i32');
  const pushFrom = () => (bounds ? code.get(bounds.from) : values.pushScalar(from));
  const pushTo = () => (bounds ? code.get(bounds.to) : values.pushScalar(to));
  if (isBackward) pushTo();
  else pushFrom();
  if (isBackward) {
    code.whole(1);
    code.op('i32.sub');
  }
  code.set(step);
  values.bind(analysis.body.pool.coordinate(coordinate), step);
  values.leave(LEVEL.step);
  values.addresses.startSteps(sequence);
  const remainders = startRemainders(values, sequence, step);
  code.loop(
    () => {
      code.get(step);
      if (isBackward) pushFrom();
      else pushTo();
      code.op(isBackward ? 'i32.ge_s' : 'i32.lt_s');
    },
    () => {
      values.leave(LEVEL.step);
      remainders.bind();
      values.enter(LEVEL.step);
      body(step);
      values.addresses.endStep();
      remainders.advance();
      advance(code, step, isBackward ? -1 : 1);
    },
  );
}

interface Groups {
  readonly groups: Local;
  readonly lanes: number;
}

/** Items from `first` to `last`: places along all axes but the steps and the last, groups of lanes innermost. */
export function eachItem(
  values: ValueEmitter,
  body: (column: Local) => void,
  split?: Groups,
): void {
  const { code, analysis } = values;
  const sequential = new Set(analysis.body.sequences.map(({ coordinate }) => coordinate));
  const axes = analysis.body.domain
    .slice(0, -1)
    .filter(({ coordinate }) => !sequential.has(coordinate));
  const item = code.local('i32');
  const column = code.local('i32');
  code.get(PARAMETERS.first);
  code.set(item);
  values.addresses.start = () => code.get(column);
  code.loop(
    () => {
      code.get(item);
      code.get(PARAMETERS.last);
      code.op('i32.lt_s');
    },
    () => {
      const rest = pushed(code, () => code.get(item));
      const takeFrom = (pushSize: () => void) => {
        const quotient = pushed(code, () => {
          code.get(rest);
          pushSize();
          code.op('i32.div_u');
        });
        // The remainder without a second division, each of which takes as long as dozens of sums.
        const place = pushed(code, () => {
          code.get(rest);
          code.get(quotient);
          pushSize();
          code.op('i32.mul');
          code.op('i32.sub');
        });
        code.get(quotient);
        code.set(rest);
        return place;
      };
      code.whole(0);
      if (split) {
        code.op('drop');
        code.get(takeFrom(() => code.get(split.groups)));
        code.whole(split.lanes);
        code.op('i32.mul');
      }
      code.set(column);
      for (const [index, { coordinate, size }] of axes.toReversed().entries()) {
        const isOutermost = index === axes.length - 1;
        const place = isOutermost ? rest : takeFrom(() => values.addresses.pushSize(size));
        values.bind(analysis.body.pool.coordinate(coordinate), place);
      }
      body(column);
      advance(code, item, 1);
    },
  );
}

interface VectorOptions {
  /** The place to begin at. */
  readonly first?: Local | undefined;
  /** May do the first vectors, and advance. */
  readonly ahead?: ((offset: Local, bytes: Local) => void) | undefined;
}

/** Vectors of the elements up to `end`, and what is left behind them; `body` gets the number of lanes that are left. */
export function eachVector(
  values: ValueEmitter,
  end: Local,
  body: (left: Local | undefined, offset: Local) => void,
  { first, ahead }: VectorOptions = {},
): void {
  const { code } = values;
  const offset = code.local('i32');
  const bytes = pushed(code, () => shifted(code, end, 2));
  if (first === undefined) code.whole(0);
  else shifted(code, first, 2);
  code.set(offset);
  if (ahead) ahead(offset, bytes);
  code.loop(
    () => reaches(code, offset, VECTOR_BYTES, bytes),
    () => {
      values.moveTo({ offset, immediate: 0 });
      body(undefined, offset);
      advance(code, offset, VECTOR_BYTES);
    },
  );
  isBelow(code, offset, bytes);
  code.branch(() => {
    const left = leftFrom(code, offset, bytes);
    values.moveTo({ offset, immediate: 0 });
    body(left, offset);
  });
}

/** Stores vectors; of each the first `left` lanes, where the row ends in it or before. */
export function storeAll(
  values: ValueEmitter,
  stores: readonly Store[],
  left: Local | undefined,
): void {
  const { code } = values;
  // All values first: what is stored may be what another one reads.
  const found = stores.map((store) => {
    values.pushVector(store.value);
    return code.keep('v128');
  });
  for (const [index, store] of stores.entries()) {
    const value = found[index] ?? 0;
    const immediate = values.addresses.pushVector(store);
    if (left === undefined) {
      code.get(value);
      code.access('v128.store', immediate);
      continue;
    }
    const address = code.keep('i32');
    code.get(left);
    code.whole(LANES);
    code.op('i32.ge_s');
    code.branch(
      () => {
        code.get(address);
        code.get(value);
        code.access('v128.store', immediate);
      },
      () => storeLanes(code, { value, address, immediate }, left),
    );
  }
}

/** Stores the first lanes of a vector, fewer than all. */
function storeLanes(
  code: FunctionCode,
  { value, address, immediate }: { value: Local; address: Local; immediate: number },
  left: Local,
): void {
  for (let lane = 0; lane < LANES - 1; lane++) {
    code.get(left);
    code.whole(lane);
    code.op('i32.gt_s');
    code.branch(() => {
      code.get(address);
      code.get(value);
      code.storeLane(lane, immediate + 4 * lane);
    });
  }
}

/** Stores a value that all lanes share. */
export function storeOne(values: ValueEmitter, store: Store): void {
  const { code } = values;
  values.addresses.pushElement(store);
  values.push(store.value);
  if (values.isScalar(store.value)) code.access('i32.store');
  else code.storeLane(0, 0);
}
