import type {
  EngineErrorCode,
  Media,
  RasterRows,
  Sequence,
  SpikeUse,
  Written,
} from '../../engine/index.ts';

/** A picture or a sound that is to be told. */
interface Question {
  readonly media: Media;
}

/** Request to a model: a text to generate, or an example to classify. */
export type Work = Sequence | Question;

interface Numbered {
  /** Distinct among all that an engine works at. */
  readonly id: number;
}
export type NumberedSequence = Sequence & Numbered;
export type NumberedQuestion = Question & Numbered;
export type NumberedWork = NumberedSequence | NumberedQuestion;

export interface Ended {
  readonly id: number;
  readonly reason: 'stop' | 'length';
  readonly spikes: SpikeUse;
  readonly raster: readonly RasterRows[] | undefined;
  /** The most sequences that were read together with it, itself included. */
  readonly batch: number;
  /** Of each class, where it was a question, or a text of a model that knows classes. */
  readonly probabilities?: readonly number[];
}

/** Result of one step of an engine's loop. */
export interface Turn {
  readonly written: readonly ({ readonly id: number } & Written)[];
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
  | { readonly type: 'start'; readonly model: string; readonly work: NumberedWork }
  | { readonly type: 'cancel'; readonly model: string; readonly id: number };

/** From an engine. A model that is broken has ended all of its sequences. */
export type Report =
  | { readonly type: 'started'; readonly device: string }
  | { readonly type: 'opened'; readonly model: string }
  | { readonly type: 'refused'; readonly model: string; readonly fault: Fault }
  | { readonly type: 'turn'; readonly model: string; readonly turn: Turn }
  | { readonly type: 'broken'; readonly model: string; readonly fault: Fault }
  | { readonly type: 'closed'; readonly model: string };
