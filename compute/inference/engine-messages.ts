import type { BatchedModel, EngineErrorCode, Sampling, SpikeUse } from '../../engine/index.ts';

/** A text to be written, in tokens. */
export interface Sequence {
  /** Distinct among the sequences of an engine. */
  readonly id: number;
  /** At least one. */
  readonly prompt: Uint32Array;
  /** Tokens to write at most. */
  readonly most: number;
  readonly sampling: Sampling;
  /** The text ends before the first of these. */
  readonly stops: readonly Uint32Array[];
  /** Whether each token is told as it is written, or all of them at the end. */
  readonly isStreamed: boolean;
  /** Whether every spike is told, for a picture. */
  readonly hasRaster: boolean;
}

/** When each neuron of a layer fired: a packed row for each time step of each token read. */
export interface RasterRows {
  readonly layer: string;
  readonly neurons: number;
  readonly rows: Uint32Array;
}

export interface Ended {
  readonly id: number;
  readonly reason: 'stop' | 'length';
  readonly spikes: SpikeUse;
  readonly raster: readonly RasterRows[] | undefined;
  /** The most sequences that were read together with it, itself included. */
  readonly batch: number;
}

/** What happened in one turn of an engine's loop. */
export interface Turn {
  readonly written: readonly { readonly id: number; readonly tokens: readonly number[] }[];
  readonly ended: readonly Ended[];
  /** Sequences that were read at once, and how long that took. */
  readonly rows: number;
  readonly ms: number;
}

export interface Fault {
  readonly code: EngineErrorCode | undefined;
  readonly message: string;
}

/** To an engine; models are named by keys of the sender's. */
export type Order =
  | {
      readonly type: 'open';
      readonly model: string;
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly slots: number;
      readonly warmup: boolean;
    }
  | { readonly type: 'close'; readonly model: string }
  | { readonly type: 'start'; readonly model: string; readonly sequence: Sequence }
  | { readonly type: 'cancel'; readonly model: string; readonly id: number };

/** From an engine. A model that is broken has ended all of its sequences. */
export type Report =
  | { readonly type: 'started'; readonly device: string }
  | {
      readonly type: 'opened';
      readonly model: string;
      readonly structure: BatchedModel['structure'];
    }
  | { readonly type: 'refused'; readonly model: string; readonly fault: Fault }
  | { readonly type: 'turn'; readonly model: string; readonly turn: Turn }
  | { readonly type: 'broken'; readonly model: string; readonly fault: Fault }
  | { readonly type: 'closed'; readonly model: string };
