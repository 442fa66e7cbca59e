import type * as z from 'zod/mini';
import type { Backend } from '../graph/backend.ts';
import type { ModelSpec, StoredModel, StoredTraining } from '../checkpoint/checkpoint.ts';
import type { BufferSpec } from '../checkpoint/parameters-file.ts';
import type { DataOptions, DataShape, RunData } from '../checkpoint/run-data.ts';
import type { WeightForm } from '../checkpoint/stored-weights.ts';
import type { TrainingExecution } from '../checkpoint/training-state.ts';
import type { Examples } from '../data/examples.ts';
import type { DataFiles } from '../data/files/data-files.ts';
import type { OpenEvaluation } from '../evaluation/evaluator.ts';
import type { ParameterSpec } from '../graph/parameters.ts';
import type { Program } from '../graph/program.ts';
import type { TrainingControls } from '../settings/controls.ts';
import type { FamilyDescription } from '../settings/description.ts';
import type { RunSettings } from '../settings/run-settings.ts';
import { type TrainingPlan, withAverage } from '../train/plan-programs.ts';
import type { RunOptions, TrainingRun as Run } from '../train/run.ts';
import type { PrefixInputShape } from './captioning/prefix.ts';
import type { ClassModel, Media } from './classification/prediction.ts';
import type { BatchedModel, BatchedModelOptions } from './language/batched-model.ts';
import type {
  LanguageModel,
  LanguageModelOptions,
  Observer,
  TextGenerator,
} from './language/generator.ts';
import type { Distillation } from './language/loss-rule.ts';

/** How the models of a family are stored, and checks and estimates of its runs: no device is opened for either. */
type FamilyCode<Schema extends z.ZodMiniType> = {
  /** Schema of its model_spec.json. */
  readonly spec: Schema;
  /** Parameters of a model in the order of their block. Throws EngineError `invalid-structure`. */
  parameters(spec: z.output<Schema>): readonly ParameterSpec[];
  /** Buffers beside the parameters in model.safetensors; none by default. */
  buffers?(spec: z.output<Schema>): readonly BufferSpec[];
  /** Precision of the parameters in model.safetensors; as trained by default. */
  form?(spec: z.output<Schema>): WeightForm;
  /** Buffers of training alone, beside the moments in optimizer.safetensors. */
  trainingBuffers?(spec: z.output<Schema>, execution: TrainingExecution): readonly BufferSpec[];
  /** How its models classify one image or sound at a time; left out where they do not. */
  readonly classes?: {
    readonly kind: Media['kind'];
    /** Names of the classes by their numbers. */
    labels(spec: z.output<Schema>): readonly string[];
    /** Throws EngineError `images-invalid` or `signal-invalid` for what the model does not take. */
    check(spec: z.output<Schema>, media: Media): void;
  };
  /** The images and sounds that its models read in front of a text; left out where they read text alone. */
  prefix?(spec: z.output<Schema>): PrefixInputShape;
  /** Classes that its models predict for what they have read, beside text; none by default. */
  pooledLabels?(spec: z.output<Schema>): readonly string[];
  /** The shape to plan with where no data is known yet. */
  readonly assumedShape: DataShape;
  /** Checks the settings alone. Throws EngineError `invalid-setting`, `invalid-structure`. */
  check(settings: RunSettings): void;
  /** Memory of a run by formula, without a trace. Throws as `check`. */
  plan(settings: RunSettings, controls: TrainingControls, shape: DataShape): TrainingPlan;
  /** The controls that its runs use; all but the neuron rules by default. */
  usedControls?(settings: RunSettings, controls: TrainingControls): TrainingControls;
};

/**
 * A model family: its description, its stored form and its plans. Code that runs on a device is in modules of
 * its folder, loaded on demand: `training.ts` (`training: FamilyTraining`), `reading.ts`
 * (`reading: FamilyReading`) and `evaluation.ts` (`openEvaluation: OpenEvaluation`).
 */
export type Family = FamilyDescription & FamilyCode<z.ZodMiniType<ModelSpec>>;

/** Joins a description with the code of its family and keeps the types of both; plans count what every family may average. */
export function defineFamily<D extends FamilyDescription, Schema extends z.ZodMiniType<ModelSpec>>(
  description: D,
  code: FamilyCode<Schema>,
): D & FamilyCode<Schema> {
  const plan: typeof code.plan = (settings, controls, shape) => {
    const planned = code.plan(settings, controls, shape);
    return controls.average > 0 ? withAverage(planned) : planned;
  };
  return { ...description, ...code, plan };
}

/** Options of a run of any family. */
export interface TrainingOptions extends RunOptions {
  /** Learn from a teacher as well: dense_chronospike and standard_transformer can. */
  readonly distillation?: Distillation | undefined;
}

/** A training run, with views of its model where the family has them. */
export interface TrainingRun extends Run {
  /** Generates text. */
  readonly generator?: TextGenerator | undefined;
  /** Shows single neurons. */
  readonly observer?: Observer | undefined;
  /** Those that a classifier learns from. */
  readonly examples?: Examples | undefined;
}

/** Training of a family. `Data` is its own: only what its `openData` returned may be passed in. */
export interface FamilyTraining<Data extends RunData = RunData> {
  /** Reads a data set once. Throws EngineError naming what is missing or malformed. */
  openData(files: DataFiles, settings: RunSettings, options?: DataOptions): Promise<Data>;
  createRun(options: TrainingOptions, data: Data): Promise<TrainingRun>;
  /** The programs of a training step of a stored run, traced and planned but not loaded. */
  stepPrograms(stored: StoredTraining): readonly Program[];
  /** A sentence on where the energy gate of a stored run acts; left out by families without one. */
  energyGate?(stored: StoredTraining): string;
}

/** Inference of a family; a member is left out where its models cannot do it. */
export interface FamilyReading {
  /** Many texts at a time. */
  openBatched?(
    backend: Backend,
    stored: StoredModel,
    options: BatchedModelOptions,
  ): Promise<BatchedModel>;
  /** One text at a time. */
  openLanguage?(
    backend: Backend,
    stored: StoredModel,
    options: LanguageModelOptions,
  ): Promise<LanguageModel>;
  /** One image or sound at a time. */
  openClasses?(backend: Backend, stored: StoredModel): Promise<ClassModel>;
}

/** The modules of a family's folder by name, and what each exports. */
export interface FamilyModules {
  readonly training: { readonly training: FamilyTraining };
  readonly reading: { readonly reading: FamilyReading };
  readonly evaluation: { readonly openEvaluation: OpenEvaluation };
}
