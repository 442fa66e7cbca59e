import type { FunctionCode, Local } from './function-code.ts';

/* Functions of four words; each takes its arguments from the stack and leaves its value there. */

/** The upper words of the products of two vectors. */
export function emitHighWord(code: FunctionCode): void {
  const b = code.keep('v128');
  const a = code.keep('v128');
  for (const half of ['i64x2.extmul_low_i32x4_u', 'i64x2.extmul_high_i32x4_u'] as const) {
    code.get(a);
    code.get(b);
    code.op(half);
  }
  code.shuffle(1, 3, 5, 7);
}

/** How many bits of each word are set. */
export function emitOnes(code: FunctionCode): void {
  code.op('i8x16.popcnt');
  code.op('i16x8.extadd_pairwise_i8x16_u');
  code.op('i32x4.extadd_pairwise_i16x8_u');
}

const ROUNDS = 10;
const MULTIPLIERS = [0xd2511f53, 0xcd9e8d57] as const;
const WEYL = [0x9e3779b9, 0xbb67ae85] as const;

/**
 * Sixteen random words, four vectors, from counters (index / 4, stream, step, 0) and three more, and a
 * seed of two words: index, stream, step, low, high lie on the stack (Philox 4x32-10; Salmon et al. 2011).
 */
export function emitDraws(code: FunctionCode): readonly [Local, Local, Local, Local] {
  const splat = () => {
    code.op('i32x4.splat');
    return code.keep('v128');
  };
  const [high, low, c2, c1] = [splat(), splat(), splat(), splat()];
  code.whole(2);
  code.op('i32.shr_u');
  code.op('i32x4.splat');
  code.wholes(0, 1, 2, 3);
  code.op('i32x4.add');
  const c0 = code.keep('v128');
  code.wholes(0, 0, 0, 0);
  const c3 = code.keep('v128');
  for (let round = 0; round < ROUNDS; round++) {
    const [low0, high0] = emitProduct(code, c0, MULTIPLIERS[0]);
    const [low2, high2] = emitProduct(code, c2, MULTIPLIERS[1]);
    mix(code, [high2, c1, low], c0);
    mix(code, [low2], c1);
    mix(code, [high0, c3, high], c2);
    mix(code, [low0], c3);
    if (round < ROUNDS - 1) {
      raise(code, low, WEYL[0]);
      raise(code, high, WEYL[1]);
    }
  }
  return transpose(code, [c0, c1, c2, c3]);
}

/** Lower and upper words of the products with a constant. */
function emitProduct(code: FunctionCode, a: Local, factor: number): readonly [Local, Local] {
  const [even, odd] = (['i64x2.extmul_low_i32x4_u', 'i64x2.extmul_high_i32x4_u'] as const).map(
    (half) => {
      code.get(a);
      code.wholes(factor, factor, factor, factor);
      code.op(half);
      return code.keep('v128');
    },
  ) as [Local, Local];
  return [join(code, [even, odd], [0, 2, 4, 6]), join(code, [even, odd], [1, 3, 5, 7])];
}

function join(
  code: FunctionCode,
  [a, b]: readonly [Local, Local],
  lanes: readonly [number, number, number, number],
): Local {
  code.get(a);
  code.get(b);
  code.shuffle(...lanes);
  return code.keep('v128');
}

function mix(code: FunctionCode, [first, ...others]: readonly Local[], to: Local): void {
  code.get(first ?? to);
  for (const other of others) {
    code.get(other);
    code.op('v128.xor');
  }
  code.set(to);
}

function raise(code: FunctionCode, key: Local, by: number): void {
  code.get(key);
  code.wholes(by, by, by, by);
  code.op('i32x4.add');
  code.set(key);
}

type Four = readonly [Local, Local, Local, Local];

/** Lane n of each of four vectors as vector n. */
function transpose(code: FunctionCode, [a, b, c, d]: Four): Four {
  const early = [join(code, [a, b], [0, 4, 1, 5]), join(code, [c, d], [0, 4, 1, 5])] as const;
  const late = [join(code, [a, b], [2, 6, 3, 7]), join(code, [c, d], [2, 6, 3, 7])] as const;
  return [
    join(code, early, [0, 1, 4, 5]),
    join(code, early, [2, 3, 6, 7]),
    join(code, late, [0, 1, 4, 5]),
    join(code, late, [2, 3, 6, 7]),
  ];
}
