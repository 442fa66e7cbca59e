import { alignOffset } from './memory-plan.ts';
import type { ParameterSpec } from './parameters.ts';
import { WORD_BYTES, wordsPerRow } from './tensor.ts';

/**
 * Memory needs of a program, by formula: sizes of tensors, and their sums over the parts of a network. Nothing
 * is traced, so a network of any depth costs what one block of it costs.
 */

/** Bytes that numbers of these axes take in an arena or a block. */
export function words(...axes: readonly number[]): number {
  return alignOffset(axes.reduce((product, axis) => product * axis, WORD_BYTES));
}

/** The same of a tensor that programs share, which stands alone. */
export function raw(...axes: readonly number[]): number {
  return axes.reduce((product, axis) => product * axis, WORD_BYTES);
}

/** As `words`, of spikes in packed rows. */
export function packed(rows: number, width: number): number {
  return words(rows, wordsPerRow(width));
}

/** Memory of a part of a network in the forward and in the backward pass. */
export interface Part {
  /** Bytes that stay from the way there until the way back. */
  readonly kept: number;
  /** The most there is at once on the way there, what is kept included. */
  readonly there: number;
  /** The same on the way back. */
  readonly back: number;
}

/** The moments are those at which there may be most, each with what is then left of what is kept. */
export function part(
  kept: number,
  {
    there = [],
    back = [],
  }: { readonly there?: readonly number[]; readonly back?: readonly number[] } = {},
): Part {
  return { kept, there: Math.max(kept, ...there), back: Math.max(kept, ...back) };
}

/** Parts that are passed one after the other, and back in the other direction. */
export function chain(...parts: readonly Part[]): Part {
  let all: Part = { kept: 0, there: 0, back: 0 };
  for (const { kept, there, back } of parts) {
    all = {
      kept: all.kept + kept,
      there: Math.max(all.there, all.kept + there),
      back: Math.max(all.back, all.kept + back),
    };
  }
  return all;
}

/** `count` parts of one kind. */
export function repeated(count: number, { kept, there, back }: Part): Part {
  if (count < 1) return { kept: 0, there: 0, back: 0 };
  const before = (count - 1) * kept;
  return { kept: before + kept, there: before + there, back: before + back };
}

/** A part that is passed back beside something else, such as the gradient of a stream. */
export function beside(bytes: number, { kept, there, back }: Part): Part {
  return { kept, there, back: back + bytes };
}

/** Peak memory of a program. */
export const peakOf = ({ there, back }: Part): number => Math.max(there, back);

/** Parameters: how many numbers, and the bytes of their block. */
export interface ParameterSizes {
  readonly count: number;
  readonly bytes: number;
}

export function parameterSizes(specs: readonly Pick<ParameterSpec, 'shape'>[]): ParameterSizes {
  return {
    count: specs.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0),
    bytes: specs.reduce((sum, { shape }) => sum + words(...shape), 0),
  };
}

/** Memory of `blocks` blocks, of which all after the first are alike. */
export function blockwise(sizeOf: (blocks: number) => number, blocks: number): number {
  const one = sizeOf(1);
  return one + (blocks - 1) * (sizeOf(2) - one);
}

export const sum = (sizes: readonly number[]): number => sizes.reduce((all, one) => all + one, 0);

/** Memory that a run needs on its device. */
export interface Memory {
  readonly parameters: ParameterSizes;
  /** The largest of its programs. */
  readonly arena: number;
  /** Persistent tensors of all programs. */
  readonly lasting: number;
}

/** The same of a model with `blocks` blocks of one kind, whose specs for any number of them are given. */
export function blockwiseSizes(
  specsOf: (blocks: number) => readonly Pick<ParameterSpec, 'shape'>[],
  blocks: number,
): ParameterSizes {
  const [none, one] = [parameterSizes(specsOf(0)), parameterSizes(specsOf(1))];
  return {
    count: none.count + blocks * (one.count - none.count),
    bytes: none.bytes + blocks * (one.bytes - none.bytes),
  };
}

/** Words whose squares one place of the partial sums of a norm adds up (`ops/adamw.ts`). */
export const NORM_CHUNK = 1024;

/** Bytes that `adamW` needs beside the blocks. */
export function adamWSize({ bytes }: ParameterSizes): number {
  return words(Math.ceil(bytes / WORD_BYTES / NORM_CHUNK)) + words(1);
}
