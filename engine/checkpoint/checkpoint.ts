import * as z from 'zod/mini';
import type { Tokenizer } from '../data/tokenizers/tokenizer.ts';
import { EngineError } from '../errors.ts';
import type { Architecture } from '../families/architectures.ts';
import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import {
  type CheckpointFiles,
  decodeJson,
  encodeJson,
  listedFiles,
  verifiedFiles,
  withManifest,
} from './files.ts';
import {
  keptForTrainingOf,
  type ModelSpec,
  parseFile,
  parseModelSpec,
  requireArchitecture,
  type SpecOf,
  storedFormOf,
} from './model-spec.ts';
import { decodeBlocks, encodeBlocks, encodeModel, type KeptTensors } from './parameters-file.ts';
import { isTrainedForm } from './stored-weights.ts';
import { TOKENIZER_FILE, tokenizerFile, tokenizerOf } from './tokenizer-bundle.ts';
import { TrainingExecution, TrainingState } from './training-state.ts';

const Config = z.object({ training_execution: TrainingExecution });

/** The files a model needs to be used; a family that reads no text has no tokenizer. */
export const MODEL_FILES = [
  'model.safetensors',
  'config.json',
  'tokenizer.json',
  'model_spec.json',
] as const;
/** Those it needs besides to go on learning. */
const TRAINING_FILES = ['optimizer.safetensors', 'training_state.json'] as const;
/** In front of the parameters as they are trained, where the model is stored in fewer digits. */
const MASTER = 'master.';
const MOMENTS = ['momentum.', 'variance.'] as const;

/** Whether a model can be used without a file. */
export function isForTraining(filename: string): boolean {
  return TRAINING_FILES.some((name) => name === filename);
}

/** What a spec says of a model that reads text. */
export type TextSpec = Extract<ModelSpec, { readonly tokenizer: unknown }>;

/** The tokenizer of a model with this spec. */
type TokenizerOf<Spec> = Spec extends { readonly tokenizer: unknown } ? Tokenizer : undefined;

/** A model as it is used for inference. */
export interface StoredModel<Spec extends ModelSpec = ModelSpec> {
  readonly spec: Spec;
  readonly tokenizer: TokenizerOf<Spec>;
  readonly layout: ParameterLayout;
  /** The parameter block as the model is stored, or as it is trained for one to go on from. */
  readonly values: Float32Array;
  /** What lies beside the parameters, such as INT8 synapses; nothing for most families. */
  readonly kept?: KeptTensors;
  readonly execution: TrainingExecution;
}

/** A model with all that its training needs to go on as if it had never stopped. */
export interface StoredTraining<Spec extends ModelSpec = ModelSpec> extends StoredModel<Spec> {
  readonly momentum: Float32Array;
  readonly variance: Float32Array;
  /** What only training needs beside the moments; nothing for most families. */
  readonly keptForTraining?: KeptTensors;
  readonly state: TrainingState;
}

/** A model of one family. Throws EngineError `checkpoint-mismatch` where it is one of another. */
export function modelOf<A extends Architecture>(
  stored: StoredModel,
  architecture: A,
): StoredModel<SpecOf<A>> {
  requireArchitecture(stored.spec, architecture);
  return stored as unknown as StoredModel<SpecOf<A>>;
}

/** A model that reads text. Throws EngineError `checkpoint-mismatch` where it reads none. */
export function textModelOf(stored: StoredModel): StoredModel<TextSpec> {
  // A model has a tokenizer where its spec names one.
  if (stored.tokenizer) return stored as unknown as StoredModel<TextSpec>;
  const { architecture, model_family } = stored.spec as ModelSpec;
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${architecture} model (${model_family}), which reads no text`,
  );
}

/** Writes a checkpoint as files, with a manifest of their digests. */
export function packCheckpoint(stored: StoredTraining): CheckpointFiles {
  const { spec, tokenizer, layout, values, momentum, variance, execution, state } = stored;
  const metadata = {
    format: 'spikegrid',
    architecture: spec.architecture,
    linear_layout: spec.core.linear_layout,
  };
  const { form } = storedFormOf(spec);
  const blocks = {
    'momentum.': momentum,
    'variance.': variance,
    ...(!isTrainedForm(form) && { [MASTER]: values }),
  };
  const config = encodeJson({ ...headlineOf(spec), training_execution: execution });
  const files: (readonly [string, Uint8Array] | undefined)[] = [
    ['model.safetensors', encodeModel(layout, values, { metadata, form, kept: stored.kept })],
    ['config.json', config],
    tokenizer && [TOKENIZER_FILE, tokenizerFile(tokenizer).bytes],
    ['model_spec.json', encodeJson(spec)],
    ['optimizer.safetensors', encodeBlocks(layout, blocks, metadata, stored.keptForTraining)],
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

/** Reads a model for inference, every file checked against the manifest. Throws as `verifiedFiles` and `decodeBlocks`. */
export function unpackModel(files: CheckpointFiles): StoredModel {
  const bytes = verifiedFiles(files, ['model.safetensors', 'config.json', 'model_spec.json']);
  const json = (name: keyof typeof bytes) => decodeJson(name, bytes[name]);
  const spec = parseModelSpec(json('model_spec.json'));
  const { parameters, kept, form } = storedFormOf(spec);
  const tokenizer = 'tokenizer' in spec ? readTokenizerOf(spec, files) : undefined;
  const layout = layOutParameters(parameters);
  const file = { name: 'model.safetensors', bytes: bytes['model.safetensors'], kept, form };
  const read = decodeBlocks(layout, file, ['']);
  return {
    spec,
    // As the spec says: a family that reads text has one.
    tokenizer: tokenizer as TokenizerOf<ModelSpec>,
    layout,
    values: read.blocks[''],
    kept: read.kept,
    execution: parseFile('config.json', Config, json('config.json')).training_execution,
  };
}

/** Reads a checkpoint to go on training from. Throws as `unpackModel`. */
export function unpackTraining(files: CheckpointFiles): StoredTraining {
  const model = unpackModel(files);
  const bytes = verifiedFiles(files, TRAINING_FILES);
  const keptForTraining = keptForTrainingOf(model.spec, model.execution);
  const isTrained = isTrainedForm(storedFormOf(model.spec).form);
  const name = 'optimizer.safetensors';
  const { blocks, kept } = decodeBlocks(
    model.layout,
    { name, bytes: bytes[name], kept: keptForTraining },
    isTrained ? MOMENTS : [...MOMENTS, MASTER],
  );
  const state = decodeJson('training_state.json', bytes['training_state.json']);
  return {
    ...model,
    values: isTrained ? model.values : blocks[MASTER],
    momentum: blocks['momentum.'],
    variance: blocks['variance.'],
    keptForTraining: kept,
    state: parseFile('training_state.json', TrainingState, state),
  };
}

function readTokenizerOf(spec: TextSpec, files: CheckpointFiles): Tokenizer {
  return tokenizerOf(spec, verifiedFiles(files, [TOKENIZER_FILE])[TOKENIZER_FILE]);
}
