import type { FunctionCode } from './function-code.ts';
import type { Instruction } from './instructions.ts';

/* Functions of four floats; each takes its argument from the stack and leaves its value there. */

/** a b + c of what lies on the stack; in one rounding with relaxed SIMD. */
export function emitMadd(code: FunctionCode, isRelaxed: boolean): void {
  if (isRelaxed) {
    code.op('f32x4.relaxed_madd');
    return;
  }
  const c = code.keep('v128');
  code.op('f32x4.mul');
  code.get(c);
  code.op('f32x4.add');
}

/** ln 2 in two parts: the first has so few bits that its multiples are exact. */
const LN2_HIGH = 0.693359375;
const LN2_LOW = -2.1219444e-4;
/** 1.5 x 2^23: what is added to it is rounded to whole numbers, which stand in the lowest bits of the sum. */
const ROUNDING = 12582912;
const MAX_EXPONENT = 88.3;
const MIN_EXPONENT = -87.3;
const EXP_TERMS = [
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1,
  5.0000001201e-1,
];

/** e^x, 2 units in the last place (the polynomial of Cephes' expf). Saturates at float32's range. */
export function emitExp(code: FunctionCode, isRelaxed: boolean): void {
  const step = stepsOf(code);
  // pmin and pmax let NaN through from their first operand, in one instruction; min and max take seven.
  step.floats(MAX_EXPONENT, 'f32x4.pmin');
  step.floats(MIN_EXPONENT, 'f32x4.pmax');
  const x = code.keep('v128');
  code.get(x);
  code.floats(Math.LOG2E);
  code.floats(ROUNDING);
  emitMadd(code, isRelaxed);
  const shifted = code.keep('v128');
  code.get(shifted);
  step.floats(ROUNDING, 'f32x4.sub');
  const n = code.keep('v128');
  code.get(x);
  for (const part of [LN2_HIGH, LN2_LOW]) {
    code.get(n);
    step.floats(part, 'f32x4.mul');
    code.op('f32x4.sub');
  }
  const r = code.keep('v128');
  emitPolynomial(code, r, EXP_TERMS, isRelaxed);
  code.get(r);
  code.get(r);
  code.op('f32x4.mul');
  code.get(r);
  emitMadd(code, isRelaxed);
  step.floats(1, 'f32x4.add');
  code.get(shifted);
  code.wholes(127, 127, 127, 127);
  code.op('i32x4.add');
  code.whole(23);
  code.op('i32x4.shl');
  code.op('f32x4.mul');
}

const LOG_TERMS = [
  7.0376836292e-2, -1.151461031e-1, 1.167699874e-1, -1.2420140846e-1, 1.4249322787e-1,
  -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
];
const MIN_NORMAL = 1.1754943508222875e-38;

/** The natural logarithm, 2 units in the last place (the polynomial of Cephes' logf). -Infinity at 0, NaN below. */
export function emitLog(code: FunctionCode, isRelaxed: boolean): void {
  const step = stepsOf(code);
  const x = code.keep('v128');
  code.get(x);
  step.floats(MIN_NORMAL, 'f32x4.pmax');
  const bounded = code.keep('v128');
  code.get(bounded);
  step.wholes(0x007f_ffff, 'v128.and');
  step.wholes(0x3f00_0000, 'v128.or');
  const mantissa = code.keep('v128');
  code.get(mantissa);
  step.floats(Math.SQRT1_2, 'f32x4.lt');
  const isLow = code.keep('v128');
  // Exponent, one less where the mantissa is doubled: a mask is -1.
  code.get(bounded);
  code.whole(23);
  code.op('i32x4.shr_u');
  step.wholes(126, 'i32x4.sub');
  code.get(isLow);
  code.op('i32x4.add');
  code.op('f32x4.convert_i32x4_s');
  const exponent = code.keep('v128');
  code.get(mantissa);
  step.floats(1, 'f32x4.sub');
  code.get(mantissa);
  code.get(isLow);
  code.op('v128.and');
  code.op('f32x4.add');
  const m = code.keep('v128');
  code.get(m);
  code.get(m);
  code.op('f32x4.mul');
  const squared = code.keep('v128');
  emitPolynomial(code, m, LOG_TERMS, isRelaxed);
  code.get(m);
  code.op('f32x4.mul');
  code.get(squared);
  code.op('f32x4.mul');
  code.get(exponent);
  step.floats(LN2_LOW, 'f32x4.mul');
  code.op('f32x4.add');
  code.get(squared);
  step.floats(-0.5, 'f32x4.mul');
  code.op('f32x4.add');
  code.get(m);
  code.op('f32x4.add');
  code.get(exponent);
  step.floats(LN2_HIGH, 'f32x4.mul');
  code.op('f32x4.add');
  const found = code.keep('v128');
  choose(code, [Number.NEGATIVE_INFINITY, x, 0, 'f32x4.eq'], () =>
    choose(code, [Number.NaN, x, 0, 'f32x4.lt'], () => {
      // Infinity and NaN stay as they are: only what is below infinity is less than it.
      code.get(found);
      code.get(x);
      code.get(x);
      code.floats(Number.POSITIVE_INFINITY);
      code.op('f32x4.lt');
      code.op('v128.bitselect');
    }),
  );
}

const TANH_TERMS = [
  -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1,
];
const TANH_NEAR = 0.625;

/** The hyperbolic tangent, 3 units in the last place (Cephes' tanhf near 0, by e^x elsewhere). */
export function emitTanh(code: FunctionCode, isRelaxed: boolean): void {
  const step = stepsOf(code);
  const x = code.keep('v128');
  code.get(x);
  code.get(x);
  code.op('f32x4.mul');
  const squared = code.keep('v128');
  emitPolynomial(code, squared, TANH_TERMS, isRelaxed);
  code.get(squared);
  code.op('f32x4.mul');
  code.get(x);
  code.get(x);
  emitMadd(code, isRelaxed);
  const near = code.keep('v128');
  code.floats(1);
  code.floats(2);
  code.get(x);
  step.floats(2, 'f32x4.mul');
  emitExp(code, isRelaxed);
  step.floats(1, 'f32x4.add');
  code.op('f32x4.div');
  code.op('f32x4.sub');
  const far = code.keep('v128');
  code.get(near);
  code.get(far);
  code.get(x);
  code.op('f32x4.abs');
  step.floats(TANH_NEAR, 'f32x4.lt');
  code.op('v128.bitselect');
}

/** The polynomial in `x` with these terms, the highest power first. */
export function emitPolynomial(
  code: FunctionCode,
  x: number,
  [first = 0, ...others]: readonly number[],
  isRelaxed: boolean,
): void {
  code.floats(first);
  for (const term of others) {
    code.get(x);
    code.floats(term);
    emitMadd(code, isRelaxed);
  }
}

/** `value` in the lanes where `x` compares with `bound`, else what `otherwise` leaves. */
function choose(
  code: FunctionCode,
  [value, x, bound, comparison]: readonly [number, number, number, Instruction],
  otherwise: () => void,
): void {
  code.floats(value);
  otherwise();
  code.get(x);
  code.floats(bound);
  code.op(comparison);
  code.op('v128.bitselect');
}

/** Instructions that take a constant. */
function stepsOf(code: FunctionCode) {
  return {
    floats(value: number, instruction: Instruction): void {
      code.floats(value);
      code.op(instruction);
    },
    wholes(value: number, instruction: Instruction): void {
      code.wholes(value, value, value, value);
      code.op(instruction);
    },
  };
}
