import type { VersionRecord } from '../contract/model.ts';
import type { Env } from '../env.ts';
import { buildProblem } from '../http/infer-answer.ts';
import {
  type BatchedModel,
  MANIFEST,
  MODEL_FILES,
  openBatchedModel,
  openWasmBackend,
  type StoredModel,
  textModelOf,
  type TextSpec,
  unpackModel,
} from '../../engine/inference.ts';
import { filesOf, nameOf, readFiles } from './model-files.ts';

/** A model in the memory of this isolate. It writes one text at a time. */
export interface LoadedModel {
  readonly model: BatchedModel;
  readonly tokenizer: StoredModel<TextSpec>['tokenizer'];
  readonly device: string;
}

/** What a model is built from. @throws Problem model_not_found where one is missing */
export const modelFilesOf = (record: VersionRecord) => filesOf(record, [...MODEL_FILES, MANIFEST]);

/**
 * Builds a model from its own files alone, on one thread.
 *
 * @throws Problem model_not_found, digest_mismatch or invalid_structure
 */
export async function loadModel(env: Env, record: VersionRecord): Promise<LoadedModel> {
  const files = await readFiles(env, record, modelFilesOf(record));
  try {
    const stored = textModelOf(unpackModel(files));
    const backend = await openWasmBackend({ threads: 1, deterministic: true });
    const model = await openBatchedModel(backend, stored, { slots: 1 });
    return { model, tokenizer: stored.tokenizer, device: backend.device.label };
  } catch (error) {
    throw buildProblem(error, nameOf(record));
  }
}
