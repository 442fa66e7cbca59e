import type { FunctionCode, Local } from './function-code.ts';
import { emitMadd, emitPolynomial } from './vector-functions.ts';

/** 2 / pi, and pi / 2 in three parts: the first ones have so few bits that their multiples are exact. */
const QUARTERS = 0.6366197723675814;
const QUARTER_PARTS = [1.5703125, 4.837512969970703e-4, 7.549789948768648e-8];
const SINE_TERMS = [-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1];
const COSINE_TERMS = [2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2];

/** Sine and cosine of four angles: computed together, each is pushed for a few instructions. */
interface Wave {
  sin(): void;
  cos(): void;
}

/** Waves of the angles on the stack; 1e-7 (Cephes' sinf and cosf). */
export function emitWave(code: FunctionCode, isRelaxed: boolean): Wave {
  const angle = code.keep('v128');
  code.get(angle);
  code.floats(QUARTERS);
  code.op('f32x4.mul');
  code.op('f32x4.nearest');
  const n = code.keep('v128');
  code.get(angle);
  for (const part of QUARTER_PARTS) {
    code.get(n);
    code.floats(part);
    code.op('f32x4.mul');
    code.op('f32x4.sub');
  }
  const x = code.keep('v128');
  code.get(x);
  code.get(x);
  code.op('f32x4.mul');
  const z = code.keep('v128');
  // 1 - z / 2 + z z p(z)
  code.get(z);
  code.get(z);
  code.op('f32x4.mul');
  emitPolynomial(code, z, COSINE_TERMS, isRelaxed);
  code.op('f32x4.mul');
  code.get(z);
  code.floats(0.5);
  code.op('f32x4.mul');
  code.op('f32x4.sub');
  code.floats(1);
  code.op('f32x4.add');
  const even = code.keep('v128');
  // x + x z p(z)
  code.get(x);
  code.get(z);
  code.op('f32x4.mul');
  emitPolynomial(code, z, SINE_TERMS, isRelaxed);
  code.get(x);
  emitMadd(code, isRelaxed);
  const odd = code.keep('v128');
  const push = (quarters: number) => pushWave(code, { n, even, odd }, quarters);
  return { sin: () => push(0), cos: () => push(1) };
}

interface Parts {
  /** Quarter turns that were taken off the angle. */
  readonly n: Local;
  /** Cosine and sine of what is left. */
  readonly even: Local;
  readonly odd: Local;
}

/** Pushes the sine of what is `quarters` quarter turns further. */
function pushWave(code: FunctionCode, { n, even, odd }: Parts, quarters: number): void {
  code.get(even);
  code.get(odd);
  code.get(n);
  code.op('i32x4.trunc_sat_f32x4_s');
  code.wholes(quarters, quarters, quarters, quarters);
  code.op('i32x4.add');
  const quarter = code.keep('v128');
  pushBit(code, quarter, 1);
  code.wholes(0, 0, 0, 0);
  code.op('i32x4.ne');
  code.op('v128.bitselect');
  pushBit(code, quarter, 2);
  code.whole(30);
  code.op('i32x4.shl');
  code.op('v128.xor');
}

function pushBit(code: FunctionCode, value: number, bit: number): void {
  code.get(value);
  code.wholes(bit, bit, bit, bit);
  code.op('v128.and');
}
