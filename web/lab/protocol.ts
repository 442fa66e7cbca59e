import type {
  DataShape,
  DeviceChoice,
  Floor,
  Finding,
  LayerActivity,
  RegistrationChoice,
  RunSettings,
  Sampling,
  TokenizerKind,
  TrainingPlan,
  Verdict,
} from '../../engine/index.ts';
import type { Failure, Outcome } from './failure.ts';
import type { PlacedFile } from '../ui/dropped-files.ts';
import type { CheckpointFacts, RunState } from './run-machine.ts';

/*
 * Messages between the page and the engine's worker. The worker is the authority on all state: it
 * announces every change, and the page shows the latest announcement. Commands have no response of
 * their own; requests have exactly one, which carries their id.
 */

/** Data to learn from, as somebody chose it. */
export type DataChoice =
  /** One that comes with the dashboard, fetched from `url` on its own origin. */
  | { readonly kind: 'bundled'; readonly name: string; readonly url: string }
  | { readonly kind: 'pasted'; readonly name: string; readonly text: string }
  /** One file, a zip archive, or all files of a data set. */
  | { readonly kind: 'files'; readonly files: readonly PlacedFile[] };

export interface DataFacts {
  readonly name: string;
  readonly bytes: number;
  /** Tokens of a text, examples of anything else. */
  readonly length: number;
  /** The shape of the data as the family found it, such as the vocabulary size or the number of classes. */
  readonly shape: DataShape;
  /** SHA-256 of what is learned from, in hexadecimal. */
  readonly digest: string;
  /** How a text begins; empty for anything else. */
  readonly preview: string;
  /** Further facts about a text. */
  readonly text?: TextFacts;
}

export interface TextFacts {
  readonly characters: number;
  /** Different characters. */
  readonly distinct: number;
  /** Of each file, as found or named. */
  readonly encodings: readonly string[];
  readonly tokenizer: TokenizerKind;
}

export type DataState =
  | { readonly status: 'none' }
  | {
      readonly status: 'scanning';
      readonly name: string;
      readonly bytes: number;
      readonly size: number;
    }
  | { readonly status: 'open'; readonly facts: DataFacts }
  | { readonly status: 'refused'; readonly failure: Failure };

/** How far a run has come. */
export interface ProgressFacts {
  readonly step: number;
  /** Passes over the text, a fraction. */
  readonly epoch: number;
  /** Fraction of the budget spent, 0 to 1. */
  readonly fraction: number;
  /** Mean nats per character since the report before; NaN before the first step. */
  readonly loss: number;
  readonly tokensPerSecond: number;
  /** Seconds left at the speed so far; null while nothing is known. */
  readonly secondsLeft: number | null;
}

/** The loss on text that is not learned from, and how each layer fired on it. */
export interface ValidationFacts {
  readonly step: number;
  readonly loss: number;
  readonly layers: readonly LayerActivity[];
  /** Further metrics of the family, such as accuracy. */
  readonly figures: Readonly<Record<string, number>>;
  /** Of a run whose budget is spent: how it did against what cannot learn. */
  readonly verdict?: Verdict | undefined;
}

/** One layer while it read the probe. Time runs through the steps of each character in turn. */
export interface ObservationFacts {
  readonly step: number;
  readonly layer: string;
  readonly neurons: number;
  /** Columns: characters times time steps. */
  readonly times: number;
  readonly threshold: number;
  /** A row of `ceil(neurons / 32)` words a column, least significant bit first. */
  readonly spikes: Uint32Array<ArrayBuffer>;
  /** Membranes of the neurons asked for, `[times]` each. */
  readonly membranes: readonly {
    readonly neuron: number;
    readonly values: Float32Array<ArrayBuffer>;
  }[];
}

/** Why a run does not learn, as far as it is known. */
export interface DiagnosisFacts {
  readonly step: number;
  /** The first is the cause to mend first; none where nothing is wrong that is known. */
  readonly findings: readonly Finding[];
  /** Norm of the gradient of the parameters of each layer in the last step. */
  readonly weights: readonly { readonly name: string; readonly gradient: number }[];
}

/** The parts of a run that are observed; nothing is computed for a hidden page. */
export interface Watch {
  readonly layer: string;
  readonly neurons: readonly number[];
  readonly page: 'visible' | 'hidden';
}

/** The run that a remedy changed. */
export interface ParentFacts {
  readonly step: number;
  readonly learningRate: number;
}

export interface OpenCommand {
  readonly settings: RunSettings;
  readonly device: DeviceChoice;
  /** Steps between two validations. */
  readonly validateEvery: number;
  /** With fresh values, on from the checkpoint in memory, or a new run that begins with its weights. */
  readonly from: 'start' | 'checkpoint' | 'weights';
  /** The run that this one was made of, for people. */
  readonly parent?: ParentFacts;
  readonly next: 'train' | 'step' | 'wait';
}

export type Command =
  /** The settings say which family reads it, and how. */
  | { readonly kind: 'open-data'; readonly choice: DataChoice; readonly settings: RunSettings }
  | { readonly kind: 'close-data' }
  | ({ readonly kind: 'open' } & OpenCommand)
  | { readonly kind: 'train' }
  | { readonly kind: 'step' }
  | { readonly kind: 'pause' }
  /** Forgets the run and its checkpoint. */
  | { readonly kind: 'reset' }
  | ({ readonly kind: 'watch' } & Watch)
  | { readonly kind: 'stop-writing' };

/** Whose words are asked for: of the run or checkpoint in the lab, or of a model in the registry. */
export type Writer =
  | { readonly kind: 'lab' }
  | { readonly kind: 'registered'; readonly modelId: string; readonly version: string };

export interface GenerationRequest extends Sampling {
  readonly writer: Writer;
  readonly device: DeviceChoice;
  readonly prompt: string;
  readonly tokens: number;
}

/** Each request with what it asks and what is answered. */
export interface Requests {
  /** The resources that a run would need; also validates the settings against the text. */
  readonly plan: { readonly ask: RunSettings; readonly answer: TrainingPlan };
  /** Text arrives in `wrote` events before the answer. */
  readonly write: {
    readonly ask: GenerationRequest;
    readonly answer: { readonly tokens: number; readonly seconds: number };
  };
  /** The checkpoint as one zip file. */
  readonly save: {
    readonly ask: null;
    readonly answer: { readonly name: string; readonly file: Blob };
  };
  /** A zip file, or the files of a checkpoint's folder. */
  readonly load: { readonly ask: readonly File[]; readonly answer: CheckpointFacts };
  /** Of the run, or of the one that has just diverged; null where there was none. */
  readonly diagnose: { readonly ask: null; readonly answer: DiagnosisFacts | null };
  readonly register: {
    readonly ask: RegistrationChoice;
    /** Names the files that stay out of the registry, as those of a private run do. */
    readonly answer: {
      readonly outcome: 'created' | 'same';
      readonly withheld: readonly string[];
    };
  };
}
export type RequestKind = keyof Requests;

/** One request on its way to the worker. */
export type RequestMessage = {
  readonly [K in RequestKind]: {
    readonly kind: 'request';
    readonly id: number;
    readonly what: K;
    readonly ask: Requests[K]['ask'];
  };
}[RequestKind];

export type ToWorker = RequestMessage | { readonly kind: 'command'; readonly command: Command };

/** Events that the worker emits unprompted. */
export type LabEvent =
  | { readonly kind: 'data'; readonly data: DataState }
  | { readonly kind: 'run'; readonly run: RunState }
  | { readonly kind: 'progress'; readonly progress: ProgressFacts }
  | { readonly kind: 'validated'; readonly validation: ValidationFacts }
  /** Once a run, when they are computed: beside the training. */
  | { readonly kind: 'floors'; readonly floors: readonly Floor[] }
  | { readonly kind: 'observed'; readonly observation: ObservationFacts }
  | { readonly kind: 'wrote'; readonly text: string }
  | { readonly kind: 'uploaded'; readonly sentBytes: number; readonly totalBytes: number };

export type FromWorker =
  | LabEvent
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome<unknown> };
