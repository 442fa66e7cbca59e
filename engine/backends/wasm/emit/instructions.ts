/* The numbers of instructions: WebAssembly core specification 3.0, chapter 5.4. */

/** One-byte instructions on numbers. */
export const PLAIN = {
  'i32.eqz': 0x45,
  'i32.eq': 0x46,
  'i32.ne': 0x47,
  'i32.lt_s': 0x48,
  'i32.lt_u': 0x49,
  'i32.gt_s': 0x4a,
  'i32.gt_u': 0x4b,
  'i32.le_s': 0x4c,
  'i32.le_u': 0x4d,
  'i32.ge_s': 0x4e,
  'i32.ge_u': 0x4f,
  'i32.add': 0x6a,
  'i32.sub': 0x6b,
  'i32.mul': 0x6c,
  'i32.div_s': 0x6d,
  'i32.div_u': 0x6e,
  'i32.rem_s': 0x6f,
  'i32.rem_u': 0x70,
  'i32.and': 0x71,
  'i32.or': 0x72,
  'i32.xor': 0x73,
  'i32.shl': 0x74,
  'i32.shr_s': 0x75,
  'i32.shr_u': 0x76,
  select: 0x1b,
  'f32.add': 0x92,
  end: 0x0b,
  else: 0x05,
  drop: 0x1a,
  return: 0x0f,
} as const;

/** Vector instructions behind the prefix 0xfd. */
export const VECTOR = {
  'f32x4.splat': 0x13,
  'i32x4.splat': 0x11,
  'f32x4.eq': 0x41,
  'f32x4.ne': 0x42,
  'f32x4.lt': 0x43,
  'f32x4.gt': 0x44,
  'f32x4.le': 0x45,
  'f32x4.ge': 0x46,
  'i32x4.eq': 0x37,
  'i32x4.ne': 0x38,
  'i32x4.lt_s': 0x39,
  'i32x4.lt_u': 0x3a,
  'i32x4.gt_s': 0x3b,
  'i32x4.gt_u': 0x3c,
  'i32x4.le_s': 0x3d,
  'i32x4.le_u': 0x3e,
  'i32x4.ge_s': 0x3f,
  'i32x4.ge_u': 0x40,
  'v128.not': 0x4d,
  'v128.and': 0x4e,
  'v128.andnot': 0x4f,
  'v128.or': 0x50,
  'v128.xor': 0x51,
  'v128.bitselect': 0x52,
  'v128.any_true': 0x53,
  'f32x4.floor': 0x68,
  'f32x4.trunc': 0x69,
  'f32x4.nearest': 0x6a,
  'f32x4.abs': 0xe0,
  'f32x4.neg': 0xe1,
  'f32x4.sqrt': 0xe3,
  'f32x4.add': 0xe4,
  'f32x4.sub': 0xe5,
  'f32x4.mul': 0xe6,
  'f32x4.div': 0xe7,
  'f32x4.min': 0xe8,
  'f32x4.max': 0xe9,
  'f32x4.pmin': 0xea,
  'f32x4.pmax': 0xeb,
  'i32x4.neg': 0xa1,
  'i32x4.abs': 0xa0,
  'i32x4.bitmask': 0xa4,
  'i32x4.shl': 0xab,
  'i32x4.shr_s': 0xac,
  'i32x4.shr_u': 0xad,
  'i32x4.add': 0xae,
  'i32x4.sub': 0xb1,
  'i32x4.mul': 0xb5,
  'i32x4.min_s': 0xb6,
  'i32x4.min_u': 0xb7,
  'i32x4.max_s': 0xb8,
  'i32x4.max_u': 0xb9,
  'i32x4.trunc_sat_f32x4_s': 0xf8,
  'i32x4.trunc_sat_f32x4_u': 0xf9,
  'f32x4.convert_i32x4_s': 0xfa,
  'f32x4.convert_i32x4_u': 0xfb,
  'i8x16.popcnt': 0x62,
  'i16x8.extadd_pairwise_i8x16_u': 0x7d,
  'i32x4.extadd_pairwise_i16x8_u': 0x7f,
  'i64x2.extmul_low_i32x4_u': 0xde,
  'i64x2.extmul_high_i32x4_u': 0xdf,
  'f32x4.relaxed_madd': 0x105,
} as const;

export const PREFIX = 0xfd;

/** Instructions on memory behind the prefix 0xfc, with the memories that they name. */
export const MEMORY = { 'memory.copy': [0x0a, 0, 0], 'memory.fill': [0x0b, 0] } as const;
export const MEMORY_PREFIX = 0xfc;

/** Loads and stores, with the logarithm of their alignment. */
export const ACCESSES = {
  'i32.load': { prefix: [], code: 0x28, alignment: 2 },
  'i32.store': { prefix: [], code: 0x36, alignment: 2 },
  'i32.store8': { prefix: [], code: 0x3a, alignment: 0 },
  'i32.store16': { prefix: [], code: 0x3b, alignment: 1 },
  'v128.load': { prefix: [PREFIX], code: 0x00, alignment: 2 },
  'v128.load8_splat': { prefix: [PREFIX], code: 0x07, alignment: 0 },
  'v128.load32_splat': { prefix: [PREFIX], code: 0x09, alignment: 2 },
  'v128.store': { prefix: [PREFIX], code: 0x0b, alignment: 2 },
} as const;

export type Instruction = keyof typeof PLAIN | keyof typeof VECTOR | keyof typeof MEMORY;
export type MemoryAccess = keyof typeof ACCESSES;

export function isInstruction(name: string): name is Instruction {
  return name in PLAIN || name in VECTOR;
}
