import type { Examples } from '../data/examples.ts';
import type { TargetKind } from '../losses/loss.ts';
import type { InputForm } from './example-inputs.ts';
import type { ExampleArrays } from './examples.ts';
import type { Network } from './network.ts';

/** Batches of any sizes. */
export type Batches = Iterable<ExampleArrays> | AsyncIterable<ExampleArrays>;

/**
 * Examples to learn from or to be judged on: arrays, or examples of `spikegrid/data`, which are shuffled anew for
 * every epoch and augmented where they are learned from; or batches of any sizes, taken in their order. An epoch
 * begins by iterating anew, or by calling the function.
 */
export type Data = ExampleArrays | Examples | Batches | (() => Batches);

/** The arrays of a program's inputs, which the next batch overwrites. */
export interface BatchArrays {
  readonly inputs: Float32Array | Uint32Array;
  /** Empty where the loss takes none. */
  readonly targets: Float32Array | Uint32Array;
  readonly rows: number;
}

/** Where the batches of a run come from. */
export interface BatchSource extends InputForm {
  /** Whole batches of an epoch, where that is known beforehand. */
  batchesPerEpoch(rows: number): number | undefined;
  /** Begins an epoch behind so many batches that were seen already. */
  begin(epoch: number, seen: number, rows: number): void | Promise<void>;
  /** Fills the rows and says how many: fewer than all, or none, at the end of the epoch. */
  take(batch: BatchArrays): number | Promise<number>;
}

export interface SourceOptions {
  readonly network: Network;
  readonly kind: TargetKind;
  /** Of the order of arrays; they are in their own order where it is left out. */
  readonly seed: number | undefined;
}
