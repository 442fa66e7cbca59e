import type { TextRecord } from '../checkpoint/text-record.ts';
import type { Corpus } from '../data/corpus/corpus.ts';
import type { DataFiles } from '../data/files/data-files.ts';
import type { TextFormat } from '../data/text/prepared-text.ts';
import type { OpenTokenStore } from '../data/corpus/token-store.ts';
import type { Tokenizer } from '../data/tokenizers/tokenizer.ts';
import type { RunOptions, TrainingRun } from '../train/run.ts';
import type { TrainingPlan } from '../train/plan-programs.ts';
import type { RunSettings } from '../train/run-settings.ts';
import type { TrainingControls } from '../train/settings.ts';
import type { StoredModel } from '../checkpoint/checkpoint.ts';

/** Data that was looked through once, ready to be learned from. */
export interface RunData {
  readonly name: string;
  /** SHA-256 in hexadecimal of what is learned from. */
  readonly digest: string;
  /** Tokens, or examples. */
  readonly length: number;
  /** What plans depend on besides the settings, such as the size of the vocabulary. */
  readonly shape: DataShape;
  /** How the bytes of a text became text. */
  readonly text?: TextRecord;
  /** Gives back what was kept beside the files; nothing can be read any more. */
  readonly close?: () => Promise<void>;
}

/** Numbers that a family's plan takes from its data, by name, such as `vocabulary` or `classes`. */
export type DataShape = Readonly<Record<string, number>>;

export interface DataOptions {
  /** The model that a run goes on from: its vocabulary or classes hold. */
  readonly base?: StoredModel;
  /** The tokenizer of a new text model, instead of one made of its text. */
  readonly tokenizer?: Tokenizer;
  /** What to do with a character that the tokenizer of the base lacks: to refuse it, where this is left out. */
  readonly unknown?: 'refuse' | 'leave out';
  /** Of text files whose names do not tell. */
  readonly format?: TextFormat;
  /** Where tokens are kept that the bytes of the files do not tell. */
  readonly openStore?: OpenTokenStore;
  /** Called with the bytes read so far, of all there are. */
  readonly onProgress?: (read: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Text as the data of a run. */
export interface TextData extends RunData {
  readonly corpus: Corpus;
}

/** What is known of a run before its data is read and a device is opened. */
export interface FamilyPlan {
  /** The shape to plan with where no data is known yet. */
  readonly assumedShape: DataShape;
  /** Checks the settings alone. Throws EngineError `invalid-setting`, `invalid-structure`. */
  check(settings: RunSettings): void;
  /** What a run will need. Throws as `check`. */
  plan(settings: RunSettings, controls: TrainingControls, shape: DataShape): TrainingPlan;
}

/**
 * What every door needs of a model family to train it: the command line, the training service and the lab
 * know families by this alone. `Data` is the family's own: only what its `openData` gave may be handed in.
 */
export interface ModelFamily<Data extends RunData = RunData> extends FamilyPlan {
  /** Looks through a data set once. Throws EngineError naming what is missing or malformed. */
  openData(files: DataFiles, settings: RunSettings, options?: DataOptions): Promise<Data>;
  createRun(options: RunOptions, data: Data): Promise<TrainingRun>;
}
