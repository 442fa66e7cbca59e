import type { Expression } from '../../../kernel-language/expression.ts';
import type { FunctionCode } from './function-code.ts';
import type { Emitter } from './emitter.ts';

/** Pushes a value in the type of the node. */
export function emitConversion(values: Emitter, node: Expression, from: Expression): void {
  const { code } = values;
  if (node.type === 'f32') {
    if (from.type === 'bool') {
      emitTruth(code, () => values.pushMask(from));
      return;
    }
    values.pushVector(from);
    code.op(from.type === 'i32' ? 'f32x4.convert_i32x4_s' : 'f32x4.convert_i32x4_u');
    return;
  }
  const isScalar = values.isScalar(node);
  if (from.type === 'f32') {
    values.pushVector(from);
    code.op(node.type === 'i32' ? 'i32x4.trunc_sat_f32x4_s' : 'i32x4.trunc_sat_f32x4_u');
    if (isScalar) code.lane('i32', 0);
  } else if (isScalar) values.pushScalar(from);
  else {
    values.pushVector(from);
    if (from.type === 'bool') {
      code.wholes(1, 1, 1, 1);
      code.op('v128.and');
    }
  }
}

/** 1 where the mask is set, else 0. */
export function emitTruth(code: FunctionCode, pushMask: () => void): void {
  pushMask();
  code.floats(1);
  code.op('v128.and');
}
