import type { Attributes, KernelName, OperandName, WrittenName } from '../../kernels/kernels.ts';

/** A call's operands as arrays: `f` those of dtype f32, in float64; `u` those of dtype u32 or bits. */
export interface Views<K extends KernelName> {
  f(name: OperandName<K>): Float64Array;
  u(name: OperandName<K>): Uint32Array;
  /** An operand that may be absent. */
  optional(name: OperandName<K>): Float64Array | undefined;
  /** The same for one of dtype u32. */
  optionalWords(name: OperandName<K>): Uint32Array | undefined;
}

/** The meaning of a kernel in plain TypeScript. */
type ReferenceKernel<K extends KernelName> = (views: Views<K>, attributes: Attributes<K>) => void;

/** The meaning of every kernel that is not written in the kernel language. */
export type ReferenceKernels = {
  readonly [K in Exclude<KernelName, WrittenName>]: ReferenceKernel<K>;
};

/** Reads inside loops: an index is never out of range there, so a missing value is a bug that shows as NaN. */
export function at(array: Float64Array | Uint32Array | Int32Array, index: number): number {
  return array[index] ?? Number.NaN;
}

/** Bit `index` of row `row` of packed spikes, `words` words a row. */
export function bitAt(bits: Uint32Array, words: number, row: number, index: number): number {
  return ((bits[row * words + (index >>> 5)] ?? 0) >>> (index & 31)) & 1;
}

/** Sets a bit of zeroed packed spikes. */
export function setBit(bits: Uint32Array, words: number, row: number, index: number): void {
  const word = row * words + (index >>> 5);
  bits[word] = (bits[word] ?? 0) | (1 << (index & 31));
}
