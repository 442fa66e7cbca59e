/** Element kinds. `bits` packs 32 spikes into one u32 along the last axis, least significant bit first. */
export type DType = 'f32' | 'u32' | 'bits';

/**
 * Where a tensor lives. `parameters`, `gradients` and `moments` are shared by every program of one
 * model; `local` holds a program's inputs, outputs and constants; `shared` lasts too, and belongs to all
 * programs of one load that name it, such as carried state; `arena` is scratch whose contents mean
 * nothing once a play has ended.
 */
export type Block = 'parameters' | 'gradients' | 'moments' | 'local' | 'shared' | 'arena';

/** A named array of static shape. Two tensors are the same only if they are the same object. */
export interface Tensor {
  readonly name: string;
  readonly dtype: DType;
  /** Logical shape: for `bits` the last axis counts spikes, not words. */
  readonly shape: readonly number[];
  readonly block: Block;
}

/** A persistent tensor that several programs may name; zero until something writes it. */
export function sharedTensor(name: string, dtype: DType, shape: readonly number[]): Tensor {
  return { name, dtype, shape, block: 'shared' };
}

export const WORD_BYTES = 4;
const BITS_PER_WORD = 32;

/** Words that a row of `width` spikes takes. */
export function wordsPerRow(width: number): number {
  return Math.ceil(width / BITS_PER_WORD);
}

/** Words that a row of `width` signed bytes takes. */
export function byteWords(width: number): number {
  return Math.ceil(width / WORD_BYTES);
}

/** Length in 4-byte words as stored. */
export function wordCount({ dtype, shape }: Pick<Tensor, 'dtype' | 'shape'>): number {
  const elements = shape.reduce((product, axis) => product * axis, 1);
  if (dtype !== 'bits') return elements;
  const width = shape.at(-1) ?? 1;
  return (elements / width) * wordsPerRow(width);
}

export function byteLength(tensor: Pick<Tensor, 'dtype' | 'shape'>): number {
  return wordCount(tensor) * WORD_BYTES;
}

/** For messages: `blocks.0.qkv.weight f32[32, 96]`. */
export function describe({ name, dtype, shape }: Tensor): string {
  return `${name} ${dtype}[${shape.join(', ')}]`;
}
