import type { Backend } from '../graph/backend.ts';
import type { StoredModel } from '../checkpoint/checkpoint.ts';
import type { DataFiles } from '../data/files/data-files.ts';
import type { OpenTokenStore } from '../data/corpus/token-store.ts';
import type { DataSection, EvaluationReport, MemorySection, SplitName, Unit } from './report.ts';

/** The sections of a report that an evaluation fills. */
type Findings = Pick<
  EvaluationReport,
  'language' | 'classification' | 'retrieval' | 'streams' | 'spikes' | 'energy'
>;

export interface EvaluationWatch {
  /** Ends the evaluation early: the figures are then those of what was done. */
  readonly signal?: AbortSignal;
  /** Called with the units done so far. */
  readonly onProgress?: (done: number) => void;
}

/** How far an evaluation came, and what it found. */
export interface Evaluated {
  readonly done: number;
  /** Spent on the units, without what made the model ready. */
  readonly seconds: number;
  readonly findings: Findings;
}

/** Something that was made ready on a device. */
export interface Opened {
  readonly memory: Omit<MemorySection, 'process_peak'>;
  close(): void;
}

/** A model and the data it is to be judged on, made ready. */
export interface Evaluator extends Opened {
  readonly unit: Unit;
  /** Units to go through. */
  readonly total: number;
  /** Once; throws what the model throws. */
  run(watch: EvaluationWatch): Promise<Evaluated>;
}

/** How a model is to be judged. What a family has no use for it leaves alone. */
export interface EvaluationChoice {
  readonly split: SplitName;
  /** Text is read with carried state from end to end, in so many parts at once. */
  readonly streams: number;
  /** Or in at most so many windows without context, as validation does. */
  readonly windows?: number;
}

/** Parts of a family's evaluation. */
export interface EvaluationSources {
  readonly backend: Backend;
  readonly stored: StoredModel;
  readonly data: DataFiles;
  readonly choice: EvaluationChoice;
  /** Where tokens of a text are kept that its bytes do not tell. */
  readonly openStore?: OpenTokenStore;
  readonly signal?: AbortSignal;
}

/** A model made ready on its data, and what a report says of both. */
export interface OpenedEvaluation {
  readonly evaluator: Evaluator;
  readonly data: DataSection;
}

/** A family's way to be judged. Throws EngineError for a model or data that is not for it. */
export type OpenEvaluation = (sources: EvaluationSources) => Promise<OpenedEvaluation>;
