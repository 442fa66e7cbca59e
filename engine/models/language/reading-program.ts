import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';

/** A layer of neurons and what its spikes cause. */
export interface SpikingLayer {
  /** Such as `blocks.0.qkv`. */
  readonly name: string;
  readonly neurons: number;
  /** Additions that one spike causes. */
  readonly fanOut: number;
}

/** Reads one token for each row and predicts the next; constant cost and memory however long the text. */
export interface ReadingProgram {
  readonly program: Program;
  readonly rows: number;
  /** `u32[rows]`: the tokens to read. */
  readonly ids: Tensor;
  /** `u32[rows]`: whose state each row goes on from, see `slotWord`. */
  readonly slots: Tensor;
  /** `[1, rows, vocabulary]`: for the token after each. */
  readonly logits: Tensor;
  readonly layers: readonly SpikingLayer[];
  /** `u32[slots, layers]`, shared by the programs of a context. */
  readonly counts: Tensor;
  /** `bits[steps, rows, neurons]` of each layer, where the program keeps them. */
  readonly kept: readonly Tensor[];
}
