import type { SpikeUse } from '../../evaluation/spike-use.ts';
import type { SlotRead } from '../../evaluation/text-evaluator.ts';
import type { Program } from '../../graph/program.ts';
import type { Tensor } from '../../graph/tensor.ts';
import type { PrefixInputs } from '../captioning/prefix.ts';

export interface BatchedModelOptions {
  /** Sequences whose state is kept on the device at once. */
  readonly slots: number;
  /** `int8` rounds the weights that spikes feed: a quarter of the bytes, and not quite the same text. */
  readonly weights?: 'float32' | 'int8';
}

/** Spikes of one layer while one token was read. */
export interface LayerSpikes {
  readonly name: string;
  readonly neurons: number;
  /** A packed row of `ceil(neurons / 32)` words for each time step, least significant bit first. */
  readonly spikes: Uint32Array;
}

export interface ObservedRead {
  /** `[vocabulary]` */
  readonly logits: Float32Array;
  readonly layers: readonly LayerSpikes[];
}

/**
 * A model of any family that reads one token for each of some sequences at a time; each sequence has a slot
 * with its state. What a sequence gets does not depend on who shares the batch. One call at a time: another
 * one is refused with `generator-busy` until the first has been answered.
 */
export interface BatchedModel {
  readonly slots: number;
  readonly vocabulary: number;
  /** The layers of neurons, in the order of the counts; none where the model has no neurons that fire. */
  readonly layers: readonly SpikingLayer[];
  /** The next token that `slot` reads begins a new sequence, whose spikes are counted from zero. */
  clear(slot: number): void;
  /**
   * Reads a token for each of some slots and gives the logits of the token after it, `[reads,
   * vocabulary]` in the order of the reads. Throws EngineError `invalid-setting` for a slot that there
   * is not or that is named twice, and for a token outside the alphabet.
   */
  read(reads: readonly SlotRead[]): Promise<Float32Array>;
  /** The same for tokens of a prompt, whose logits nobody asks for: does not wait for the device. */
  pass(reads: readonly SlotRead[]): void;
  /** Waits until all tokens passed so far have been read. */
  settled(): Promise<void>;
  /** Reads one token for one slot and also gives every spike, for an image. */
  observe(read: SlotRead): Promise<ObservedRead>;
  /** Spikes of each layer since each slot was cleared, `u32[slots][layers]`. */
  spikeCounts(): Promise<Uint32Array>;
  /** Spikes and energy of a sequence of `tokens` tokens behind `prefix` tokens that `prime` read, from its line of the counts. */
  useOf(counts: Uint32Array, tokens: number, prefix?: number): SpikeUse;
  /**
   * Reads what stands in front of the text of a slot that was cleared, and says how many tokens that was. Left
   * out where a model reads text alone.
   */
  readonly prime?: (slot: number, inputs: PrefixInputs) => Promise<number>;
  /** The score of each class for all that a slot has read. Left out where a model tells no classes apart. */
  readonly classScores?: (slot: number) => Promise<Float32Array>;
  close(): void;
}

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
  /** `u32[rows]`: whose state each row continues from, see `slotWord`. */
  readonly slots: Tensor;
  /** `[1, rows, vocabulary]`: for the token after each. */
  readonly logits: Tensor;
  readonly layers: readonly SpikingLayer[];
  /** `u32[slots, layers]`, shared by the programs of a context. */
  readonly counts: Tensor;
  /** `bits[steps, rows, neurons]` of each layer, where the program keeps them. */
  readonly kept: readonly Tensor[];
}
