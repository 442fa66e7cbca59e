import type { Backend } from '../graph/backend.ts';
import { modelOf, type StoredModel } from '../checkpoint/checkpoint.ts';
import { EngineError } from '../errors.ts';
import type { BatchedModel, BatchedModelOptions } from './batched-model.ts';
import { openBatchedModel as openBatchedChronospike } from './dense-chronospike/batched-model.ts';
import {
  type LanguageModel,
  type LanguageModelOptions,
  openLanguageModel as openChronospike,
} from './dense-chronospike/language-model.ts';
import { openBatchedMemoried } from './memoried-spikenet/batched-model.ts';
import { openMemoriedModel } from './memoried-spikenet/language-model.ts';
import { openBatchedMultimodal } from './spiking-multimodal/batched-model.ts';
import { openBatchedSparse } from './sparse-event-memory/batched-model.ts';
import { openSparseModel } from './sparse-event-memory/language-model.ts';
import { openBatchedTransformer } from './standard-transformer/batched-model.ts';
import { openTransformer } from './standard-transformer/language-model.ts';

/** Builds a model of any family that writes text from its own model_spec, once for all sizes of batches. */
export function openBatchedModel(
  backend: Backend,
  stored: StoredModel,
  options: BatchedModelOptions,
): Promise<BatchedModel> {
  const { architecture } = stored.spec;
  if (architecture === 'standard_transformer') {
    return openBatchedTransformer(backend, modelOf(stored, architecture), options);
  }
  if (architecture === 'sparse_event_memory') {
    return openBatchedSparse(backend, modelOf(stored, architecture), options);
  }
  if (architecture === 'spiking_multimodal') return openBatchedMultimodal(backend, stored, options);
  if (architecture === 'memoried_spikenetlm') return openBatchedMemoried(backend, stored, options);
  return openBatchedChronospike(backend, stored, options);
}

/** The same for one text at a time. */
export function openLanguageModel(
  backend: Backend,
  stored: StoredModel,
  options: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const { architecture } = stored.spec;
  if (architecture === 'standard_transformer') {
    return openTransformer(backend, modelOf(stored, architecture), options);
  }
  if (architecture === 'sparse_event_memory') {
    return openSparseModel(backend, modelOf(stored, architecture));
  }
  if (architecture === 'memoried_spikenetlm') return openMemoriedModel(backend, stored, options);
  if (architecture !== 'dense_chronospike') refusePrompt(stored);
  return openChronospike(backend, stored, options);
}

/** A caption needs something that it describes, and a classifier writes nothing. */
function refusePrompt({ spec: { architecture, model_family } }: StoredModel): never {
  const does =
    architecture === 'spiking_multimodal'
      ? 'writes captions: expected a picture or a sound beside the prompt'
      : 'tells classes apart and writes no text';
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${architecture} model (${model_family}), which ${does}`,
  );
}
