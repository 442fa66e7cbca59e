import type { Tokenizer } from '../data/tokenizers/tokenizer.ts';
import { EngineError } from '../errors.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { type CheckpointFiles, encodeJson, listedFiles, withManifest } from './files.ts';
import { encodeBlocks, encodeModel, type StoredBuffers } from './parameters-file.ts';
import type { NgramSpec, TokenizerReference } from './spec-members.ts';
import { isTrainedForm, TRAINED_FORM, type WeightForm } from './stored-weights.ts';
import { TOKENIZER_FILE, tokenizerFile } from './tokenizer-bundle.ts';
import type { TrainingExecution, TrainingState } from './training-state.ts';

/** The files a model needs to be used; a family that reads no text has no tokenizer. */
export const MODEL_FILES = [
  'model.safetensors',
  'config.json',
  'tokenizer.json',
  'model_spec.json',
] as const;
/** Those it needs besides to go on learning. */
export const TRAINING_FILES = ['optimizer.safetensors', 'training_state.json'] as const;
/** In front of the parameters as they are trained, where the model is stored in fewer digits or is their average. */
export const MASTER = 'master.';
/** In front of their average, where the model that is stored is it in fewer digits. */
export const AVERAGE = 'average.';
export const MOMENTS = ['momentum.', 'variance.'] as const;

/** Tells whether a model can be used without a file. */
export function isForTraining(filename: string): boolean {
  return TRAINING_FILES.some((name) => name === filename);
}

/** The members of every model_spec; each family adds its own. */
export interface ModelSpec {
  readonly architecture: string;
  readonly model_family: string;
  readonly core: { readonly linear_layout: 'in_out' };
}

/** The model_spec of a model that reads text. */
export interface TextSpec extends ModelSpec {
  readonly vocab_size: number;
  readonly tokenizer: TokenizerReference;
  readonly ngrams?: NgramSpec | undefined;
}

/** The tokenizer of a model with this spec. */
type TokenizerOf<Spec> = Spec extends { readonly tokenizer: unknown }
  ? Tokenizer
  : Tokenizer | undefined;

/** A model as it is used for inference. */
export interface StoredModel<Spec extends ModelSpec = ModelSpec> {
  readonly spec: Spec;
  readonly tokenizer: TokenizerOf<Spec>;
  readonly layout: ParameterLayout;
  /** The parameter block as the model is stored, or as it is trained for one to continue from. */
  readonly values: Float32Array;
  /** Buffers beside the parameters, such as INT8 synapses; none for most families. */
  readonly buffers?: StoredBuffers;
  readonly execution: TrainingExecution;
}

/** Parameters as averaged so far, `f32[words]`, and how many times they were taken in; 0 where they never were. */
export interface AverageState {
  readonly values: Float32Array;
  readonly taken: number;
}

/** A model with all that its training needs to go on as if it had never stopped. */
export interface StoredTraining<Spec extends ModelSpec = ModelSpec> extends StoredModel<Spec> {
  readonly momentum: Float32Array;
  readonly variance: Float32Array;
  /** The average of the parameters, which is the model, of a run that averages them. */
  readonly average?: AverageState | undefined;
  /** Buffers of training beside the moments; none for most families. */
  readonly trainingBuffers?: StoredBuffers;
  readonly state: TrainingState;
}

/**
 * A model as one of a family. Throws EngineError `checkpoint-mismatch` for a model of another one: each
 * family has parameters of its own, none of which means anything to another.
 */
export function requireArchitecture(
  { architecture, model_family }: ModelSpec,
  expected: string,
): void {
  if (architecture === expected) return;
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${architecture} model (${model_family}), not a ${expected} one: ` +
      `families do not share parameters, so expected a checkpoint of ${expected}`,
  );
}

/** A model that reads text. Throws EngineError `checkpoint-mismatch` where it reads none. */
export function textModelOf(stored: StoredModel): StoredModel<TextSpec> {
  const { spec, tokenizer } = stored;
  if (tokenizer && isTextSpec(spec)) return { ...stored, spec, tokenizer };
  const { architecture, model_family } = spec;
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${architecture} model (${model_family}), which reads no text`,
  );
}

const isTextSpec = (spec: ModelSpec): spec is TextSpec => 'tokenizer' in spec;

/**
 * Writes a checkpoint as files, with a manifest of their digests. `form` is the precision of the parameters in
 * model.safetensors; as trained by default.
 */
export function packCheckpoint(
  stored: StoredTraining,
  form: WeightForm = TRAINED_FORM,
): CheckpointFiles {
  const { spec, tokenizer, layout, values, momentum, variance, average, execution } = stored;
  const metadata = {
    format: 'spikegrid',
    architecture: spec.architecture,
    linear_layout: spec.core.linear_layout,
  };
  const blocks = {
    'momentum.': momentum,
    'variance.': variance,
    ...((average || !isTrainedForm(form)) && { [MASTER]: values }),
    ...(average && !isTrainedForm(form) && { [AVERAGE]: average.values }),
  };
  const model = average?.values ?? values;
  const state = { ...stored.state, ...(average && { averaged_steps: average.taken }) };
  const config = encodeJson({ ...headlineOf(spec), training_execution: execution });
  const files: (readonly [string, Uint8Array] | undefined)[] = [
    ['model.safetensors', encodeModel(layout, model, { metadata, form, buffers: stored.buffers })],
    ['config.json', config],
    tokenizer && [TOKENIZER_FILE, tokenizerFile(tokenizer).bytes],
    ['model_spec.json', encodeJson(spec)],
    ['optimizer.safetensors', encodeBlocks(layout, blocks, metadata, stored.trainingBuffers)],
    ['training_state.json', encodeJson(state)],
  ];
  return withManifest(new Map(files.filter((file) => file !== undefined)));
}

/** The members of a spec that config.json repeats for people: its sizes and what kind of model it is. */
function headlineOf(spec: ModelSpec): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).filter(isHeadline));
}

function isHeadline([name, value]: [string, unknown]): boolean {
  return name !== 'model_spec_version' && typeof value !== 'object';
}

/** Those of `MODEL_FILES` that a checkpoint has. Throws as `listedFiles`. */
export function modelFilesOf(files: CheckpointFiles): readonly string[] {
  const listed = listedFiles(files);
  return MODEL_FILES.filter((name) => listed.includes(name));
}
