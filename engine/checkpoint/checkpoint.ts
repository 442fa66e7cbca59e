import * as z from 'zod/mini';
import type { Tokenizer } from '../data/tokenizer.ts';
import { layOutParameters, type ParameterLayout } from '../graph/parameters.ts';
import { chronospikeParameters } from '../models/dense-chronospike/parameters.ts';
import { checkStructure } from '../models/dense-chronospike/structure.ts';
import {
  type CheckpointFiles,
  decodeJson,
  encodeJson,
  verifiedFiles,
  withManifest,
} from './files.ts';
import { type ModelSpec, parseFile, parseModelSpec, structureFromSpec } from './model-spec.ts';
import { decodeBlocks, encodeBlocks } from './parameters-file.ts';
import { TOKENIZER_FILE, tokenizerFile, tokenizerOf } from './tokenizer-bundle.ts';
import { TrainingExecution, TrainingState } from './training-state.ts';

const Config = z.object({ training_execution: TrainingExecution });

/** The files a model needs to be used, and those it needs besides to go on learning. */
export const MODEL_FILES = [
  'model.safetensors',
  'config.json',
  'tokenizer.json',
  'model_spec.json',
] as const;
const TRAINING_FILES = ['optimizer.safetensors', 'training_state.json'] as const;

/** A model as it is used for inference. */
export interface StoredModel {
  readonly spec: ModelSpec;
  readonly tokenizer: Tokenizer;
  readonly layout: ParameterLayout;
  /** The parameter block. */
  readonly values: Float32Array;
  readonly execution: TrainingExecution;
}

/** A model with all that its training needs to go on as if it had never stopped. */
export interface StoredTraining extends StoredModel {
  readonly momentum: Float32Array;
  readonly variance: Float32Array;
  readonly state: TrainingState;
}

/** Writes a checkpoint as files, with a manifest of their digests. */
export function packCheckpoint(stored: StoredTraining): CheckpointFiles {
  const { spec, tokenizer, layout, values, momentum, variance, execution, state } = stored;
  const { architecture, d_model, n_heads, num_blocks, time_steps, neuron_type, vocab_size } = spec;
  const metadata = { format: 'spikegrid', architecture, linear_layout: spec.core.linear_layout };
  return withManifest(
    new Map<string, Uint8Array>([
      ['model.safetensors', encodeBlocks(layout, { '': values }, metadata)],
      [
        'config.json',
        encodeJson({
          architecture,
          d_model,
          n_heads,
          num_blocks,
          time_steps,
          neuron_type,
          vocab_size,
          training_execution: execution,
        }),
      ],
      [TOKENIZER_FILE, tokenizerFile(tokenizer).bytes],
      ['model_spec.json', encodeJson(spec)],
      [
        'optimizer.safetensors',
        encodeBlocks(layout, { 'momentum.': momentum, 'variance.': variance }, metadata),
      ],
      ['training_state.json', encodeJson(state)],
    ]),
  );
}

/** Reads a model for inference, every file checked against the manifest. Throws as `verifiedFiles` and `decodeBlocks`. */
export function unpackModel(files: CheckpointFiles): StoredModel {
  const bytes = verifiedFiles(files, MODEL_FILES);
  const json = (name: (typeof MODEL_FILES)[number]) => decodeJson(name, bytes[name]);
  const spec = parseModelSpec(json('model_spec.json'));
  const structure = structureFromSpec(spec);
  checkStructure(structure);
  const tokenizer = tokenizerOf(spec, bytes[TOKENIZER_FILE]);
  const layout = layOutParameters(chronospikeParameters(structure));
  const blocks = decodeBlocks(layout, 'model.safetensors', bytes['model.safetensors'], ['']);
  return {
    spec,
    tokenizer,
    layout,
    values: blocks[''],
    execution: parseFile('config.json', Config, json('config.json')).training_execution,
  };
}

/** Reads a checkpoint to go on training from. Throws as `unpackModel`. */
export function unpackTraining(files: CheckpointFiles): StoredTraining {
  const model = unpackModel(files);
  const bytes = verifiedFiles(files, TRAINING_FILES);
  const moments = decodeBlocks(
    model.layout,
    'optimizer.safetensors',
    bytes['optimizer.safetensors'],
    ['momentum.', 'variance.'],
  );
  const state = decodeJson('training_state.json', bytes['training_state.json']);
  return {
    ...model,
    momentum: moments['momentum.'],
    variance: moments['variance.'],
    state: parseFile('training_state.json', TrainingState, state),
  };
}
