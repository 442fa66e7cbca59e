import type { Expression, Load } from '../../../kernel-language/expression.ts';
import { LEVEL } from '../../../kernel-language/levels.ts';
import { unsupported } from './access-keys.ts';
import type { Local } from './function-code.ts';
import { LANES } from './plan.ts';
import type { Emitter } from './emitter.ts';

/** Pushes the elements that four lanes read where these do not lie side by side. */
export function pushScattered(values: Emitter, load: Load): void {
  const { code, addresses, analysis } = values;
  const isUniform = (index: Expression) => analysis.levelOf(index) < LEVEL.vector;
  addresses.pushPart(load, isUniform);
  const base = code.keep('i32');
  if (addresses.layout(load.operand).element === 'bits') pushBits(values, load, base);
  else {
    const moving = [...load.indices.entries()].filter(([, index]) => !isUniform(index));
    gather(values, { operand: load.operand, moving, base });
  }
}

interface Gathered {
  readonly operand: string;
  /** The indices that differ between lanes, with their axes. */
  readonly moving: readonly (readonly [axis: number, index: Expression])[];
  /** Address of what the other indices are. */
  readonly base: Local;
}

/** Elements from four places; those that are not there are taken from the end of their axis. */
function gather(values: Emitter, { operand, moving, base }: Gathered): void {
  const { code, addresses } = values;
  const { axes } = addresses.layout(operand);
  for (const [place, [axis, index]] of moving.entries()) {
    values.pushVector(index);
    addresses.pushSize(axes[axis] ?? 1);
    code.whole(1);
    code.op('i32.sub');
    code.op('i32x4.splat');
    code.op('i32x4.min_u');
    addresses.scaleVector(operand, axis);
    if (place > 0) code.op('i32x4.add');
  }
  const offsets = code.keep('v128');
  code.wholes(0, 0, 0, 0);
  const found = code.keep('v128');
  for (let lane = 0; lane < LANES; lane++) {
    code.get(base);
    code.get(offsets);
    code.lane('i32', lane);
    code.op('i32.add');
    code.get(found);
    code.loadLane(lane);
    code.set(found);
  }
  code.get(found);
}

/** Four bits side by side, as a mask, that need not begin a quarter of a byte. */
function pushBits(values: Emitter, { operand, indices }: Load, row: Local): void {
  const { code, analysis, addresses } = values;
  const index = indices.at(-1);
  if (index?.kind !== 'apply' || !analysis.isSideBySide(index)) {
    throw unsupported(`scattered bits of ${operand}`);
  }
  addresses.pushPlace();
  values.pushScalar(index.args[1] as Expression);
  code.op(index.operator === 'sub' ? 'i32.sub' : 'i32.add');
  const place = code.keep('i32');
  code.get(row);
  code.get(place);
  code.whole(3);
  code.op('i32.shr_s');
  code.op('i32.add');
  code.access('i32.load');
  code.get(place);
  code.whole(7);
  code.op('i32.and');
  code.op('i32.shr_u');
  code.op('i32x4.splat');
  code.wholes(1, 2, 4, 8);
  code.op('v128.and');
  code.wholes(1, 2, 4, 8);
  code.op('i32x4.eq');
}
