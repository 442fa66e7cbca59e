import type { Backend } from '../graph/backend.ts';
import type { StoredModel } from '../checkpoint/checkpoint.ts';
import { EngineError } from '../errors.ts';
import { ngramModelOf } from '../ngrams/stored.ts';
import type { BatchedModel, BatchedModelOptions } from './language/batched-model.ts';
import type { LanguageModel, LanguageModelOptions } from './language/generator.ts';
import { batchedWithNgrams } from './language/with-ngrams.ts';
import { familyOf } from './families.ts';
import { loadReading } from './load-reading.ts';

/** Builds a model that writes text from its own model_spec, once for all sizes of batches. */
export async function openBatchedModel(
  backend: Backend,
  stored: StoredModel,
  options: BatchedModelOptions,
): Promise<BatchedModel> {
  const { openBatched } = await loadReading(stored.spec.architecture);
  if (!openBatched) refusePrompt(stored);
  const tables = ngramModelOf(stored);
  const batched = await openBatched(backend, stored, options);
  return tables ? batchedWithNgrams(batched, tables) : batched;
}

/** The same for one text at a time. */
export async function openLanguageModel(
  backend: Backend,
  stored: StoredModel,
  options: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const { openLanguage } = await loadReading(stored.spec.architecture);
  return openLanguage ? openLanguage(backend, stored, options) : refusePrompt(stored);
}

/** A caption needs something that it describes, and a classifier writes nothing. */
function refusePrompt({ spec: { architecture, model_family } }: StoredModel): never {
  const does = familyOf(architecture).classes
    ? 'is a classifier and writes no text'
    : 'writes captions: expected an image or a sound beside the prompt';
  throw new EngineError(
    'checkpoint-mismatch',
    `the checkpoint holds a ${architecture} model (${model_family}), which ${does}`,
  );
}
