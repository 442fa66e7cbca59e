import type { Apply, Expression } from '../../../kernel-language/expression.ts';
import { LEVEL } from '../../../kernel-language/levels.ts';
import type { Emitter } from './emitter.ts';
import { maskOf } from './operations.ts';
import { emitMadd } from './vector-functions.ts';

/* Values that take fewer instructions than their operators say: of masks, choices and products that are added. */

/** Pushes such a value; false where there is no shorter one. */
export function emitShortened(values: Emitter, node: Apply): boolean {
  const { operator, type, args } = node;
  const [a, b] = args as [Expression, Expression];
  if (operator === 'add' && type === 'f32') return contract(values, node);
  if (operator === 'sub' && isFalse(values, b)) {
    values.pushVector(a);
    return true;
  }
  if (operator !== 'mul') return false;
  if (maskOf(a)) emitMasked(values, a, b);
  else if (maskOf(b)) emitMasked(values, b, a);
  else return false;
  return true;
}

/** Pushes a value added to what `pushTotal` pushes: a product in one instruction, where there is one. */
export function emitSum(values: Emitter, value: Expression, pushTotal: () => void): void {
  const { code, analysis, isRelaxed } = values;
  const isProduct = value.kind === 'apply' && value.operator === 'mul' && !value.args.some(maskOf);
  if (isRelaxed && isProduct && analysis.usesOf(value) === 1) {
    for (const factor of value.args) values.pushVector(factor);
    pushTotal();
    emitMadd(code, true);
    return;
  }
  pushTotal();
  values.pushVector(value);
  code.op('f32x4.add');
}

/** x y + z in one instruction, where the product is used nowhere else. */
function contract(values: Emitter, node: Apply): boolean {
  const { code, analysis, isRelaxed } = values;
  if (!isRelaxed) return false;
  const product = node.args.find(
    (arg) =>
      arg.kind === 'apply' &&
      arg.operator === 'mul' &&
      analysis.usesOf(arg) === 1 &&
      analysis.levelOf(arg) === LEVEL.vector &&
      !arg.args.some(maskOf),
  );
  if (product?.kind !== 'apply') return false;
  const rest = node.args.find((arg) => arg !== product) ?? product;
  for (const value of [...product.args, rest]) values.pushVector(value);
  emitMadd(code, true);
  return true;
}

/** Whether it is 0, as the condition that it stands for is known not to hold. */
function isFalse({ assumed }: Emitter, node: Expression | undefined): boolean {
  if (node?.kind !== 'apply' || assumed?.isTrue !== false) return false;
  return node.type === 'f32' && maskOf(node) === assumed.condition;
}

/** The other factor where the mask is set. */
function emitMasked(values: Emitter, mask: Expression, other: Expression): void {
  values.pushMask(maskOf(mask) ?? mask);
  values.pushVector(other);
  values.code.op('v128.and');
}

export function emitSelect(values: Emitter, node: Apply): void {
  const { code, analysis, assumed } = values;
  const [condition, whenTrue, whenFalse] = node.args as [Expression, Expression, Expression];
  if (assumed?.condition === condition) {
    values.pushVector(assumed.isTrue ? whenTrue : whenFalse);
    return;
  }
  if (analysis.levelOf(condition) === LEVEL.vector) {
    if (isZero(whenFalse)) {
      emitMasked(values, condition, whenTrue);
      return;
    }
    values.pushVector(whenTrue);
    values.pushVector(whenFalse);
    values.pushVector(condition);
    code.op('v128.bitselect');
    return;
  }
  // One side alone is computed: the other may read what is not there.
  values.pushCondition(condition);
  const isScalar = values.isScalar(node);
  const side = (value: Expression) => () =>
    values.apart(() => {
      if (isScalar) values.pushScalar(value);
      else values.pushVector(value);
    });
  code.branch(side(whenTrue), side(whenFalse), isScalar ? 'i32' : 'v128');
}

function isZero(node: Expression): boolean {
  return node.kind === 'constant' && Object.is(node.value, 0);
}
