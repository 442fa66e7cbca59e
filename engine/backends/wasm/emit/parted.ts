import type { Store } from '../../../kernel-language/body.ts';
import { type Apply, closureOf, type Expression } from '../../../kernel-language/expression.ts';
import { LEVEL } from '../../../kernel-language/levels.ts';
import { advance, isBelow, leftFrom, pushed, pushMinimum, reaches, shifted } from './arithmetic.ts';
import type { Local } from './function-code.ts';
import { LANES, VECTOR_BYTES } from './plan.ts';
import type { ValueEmitter } from './values.ts';

/** `place < p` or `place == p` with a p that the whole row shares: vectors in front of p and behind need not compare. */
export function partingOf({ analysis }: ValueEmitter, stores: readonly Store[]): Apply | undefined {
  const place = analysis.body.pool.coordinate(analysis.inner);
  const values = stores.map(({ value }) => value);
  return closureOf(values, ({ kind }) => kind === 'reduction').find((node): node is Apply => {
    if (node.kind !== 'apply' || (node.operator !== 'lt' && node.operator !== 'eq')) return false;
    const [a, b] = node.args;
    return a === place && b !== undefined && analysis.levelOf(b) < LEVEL.vector;
  });
}

interface Parted {
  readonly count: Local;
  readonly parting: Apply;
}

/** Vectors of `count` places: the comparison is settled for those in front of the one with its place, and behind it. */
export function eachParted(
  values: ValueEmitter,
  { count, parting }: Parted,
  body: (left: Local | undefined, offset: Local) => void,
): void {
  const { code } = values;
  const offset = code.local('i32');
  const bytes = pushed(code, () => shifted(code, count, 2));
  const stop = pushed(code, () => pushStop(values, { count, parting }));
  const settled = (isTrue: boolean, hasMore: () => void) =>
    code.loop(hasMore, () => {
      values.moveTo({ offset, immediate: 0 });
      values.assuming(parting, isTrue, () => body(undefined, offset));
      advance(code, offset, VECTOR_BYTES);
    });
  code.whole(0);
  code.set(offset);
  settled(parting.operator === 'lt', () => isBelow(code, offset, stop));
  // The vector with the place; then what is left behind the last whole one.
  code.loop(
    () => isBelow(code, offset, bytes),
    () => {
      const left = leftFrom(code, offset, bytes);
      values.moveTo({ offset, immediate: 0 });
      body(left, offset);
      advance(code, offset, VECTOR_BYTES);
      settled(false, () => reaches(code, offset, VECTOR_BYTES, bytes));
    },
  );
}

/** Pushes the bytes in front of the vector with the place, or with the row's end. */
function pushStop(values: ValueEmitter, { count, parting }: Parted): void {
  const { code } = values;
  const place = pushed(code, () => {
    values.pushScalar(parting.args[1] as Expression);
    values.addresses.start();
    code.op('i32.sub');
  });
  code.whole(0);
  pushMinimum(
    code,
    () => code.get(place),
    () => code.get(count),
  );
  const nearer = code.keep('i32');
  code.get(nearer);
  code.get(nearer);
  code.whole(0);
  code.op('i32.lt_s');
  code.op('select');
  code.whole(-LANES);
  code.op('i32.and');
  code.whole(2);
  code.op('i32.shl');
}
