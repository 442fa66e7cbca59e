import type { KernelName } from '../../../engine/kernels/kernels.ts';
import { wordCount } from '../../../engine/graph/tensor.ts';
import { slotWord } from '../../../engine/kernels/slots.ts';
import type { KernelCase, OperandData } from '../play.ts';
import type { Source } from '../random.ts';

export type Case<K extends KernelName> = KernelCase<K> & { readonly name: string };
export type CaseMaker<K extends KernelName> = (size: number, from: Source) => Case<K>[];
/** For each kernel: its cases at a size, with odd shapes derived from it. */
export type CaseMakers = { readonly [K in KernelName]: CaseMaker<K> };

export const both = [false, true] as const;

export function f32(shape: number[], data: Float32Array): OperandData {
  return { dtype: 'f32', shape, data };
}

export function u32(shape: number[], data: Uint32Array): OperandData {
  return { dtype: 'u32', shape, data };
}

/** Random spikes; what a kernel is to overwrite starts with `emptyBits`. */
export function bits(shape: number[], from: Source, density?: number): OperandData {
  const width = shape.at(-1)!;
  const rows = shape.slice(0, -1).reduce((a, b) => a * b, 1);
  return { dtype: 'bits', shape, data: from.spikes(rows, width, density) };
}

export function emptyBits(shape: number[]): OperandData {
  return { dtype: 'bits', shape, data: new Uint32Array(wordCount({ dtype: 'bits', shape })) };
}

/** Random numbers, also where a kernel is to overwrite them: what it leaves out stands out. */
export function numbers(shape: number[], from: Source, low = -1, high = 1): OperandData {
  return f32(shape, from.floats(wordCount({ dtype: 'f32', shape }), low, high));
}

/** Random multiples of 1/64, whose sums float32 holds exactly. */
export function dyadic(shape: number[], from: Source, low = -1, high = 1): OperandData {
  const values = from.floats(wordCount({ dtype: 'f32', shape }), low, high);
  return f32(
    shape,
    values.map((value) => Math.round(64 * value) / 64),
  );
}

/** A slot for each row, none twice and not in order; every third row begins a sequence. */
export function slotWords(
  { rows, slots }: { readonly rows: number; readonly slots: number },
  from: Source,
): OperandData {
  const first = from.integers(1, slots)[0]!;
  const words = Uint32Array.from({ length: rows }, (_, row) =>
    slotWord((first + slots - row) % slots, row % 3 === 1),
  );
  return u32([rows], words);
}

export function clock(step: number, slot: number, seed: number): OperandData {
  return u32([4], Uint32Array.of(step, slot, seed, 7));
}

/** Many short rows, and few rows of the size. */
export function rowShapes(size: number) {
  return [
    { rows: size, width: 33 },
    { rows: 3, width: size },
  ];
}
