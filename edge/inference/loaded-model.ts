import type { VersionRecord } from '../registry/contract/model.ts';
import type { Env } from '../env.ts';
import { buildProblem } from '../http/infer-response.ts';
import {
  type BatchedModel,
  type ClassModel,
  classNamesOf,
  type ClassSpec,
  isClassSpec,
  labelsOf,
  MANIFEST,
  MODEL_FILES,
  openBatchedModel,
  openClassModel,
  openWasmBackend,
  type StoredModel,
  textModelOf,
  type TextSpec,
  unpackModel,
} from '../../engine/inference.ts';
import { filesOf, nameOf, readFiles } from './model-files.ts';

/** A model in the memory of this isolate. It answers one request at a time. */
export type LoadedModel = LoadedText | LoadedClasses;

/** One that writes text, also behind pictures and sounds. */
export interface LoadedText {
  readonly kind: 'text';
  readonly model: BatchedModel;
  readonly spec: TextSpec;
  readonly tokenizer: StoredModel<TextSpec>['tokenizer'];
  /** Of the classes that it also tells; none where it tells none. */
  readonly labels: readonly string[];
  readonly device: string;
}

/** One that tells pictures or sounds apart. */
export interface LoadedClasses {
  readonly kind: 'class';
  readonly model: ClassModel;
  readonly spec: ClassSpec;
  readonly labels: readonly string[];
  readonly device: string;
}

/** Types of models that read no text and have no tokenizer. */
const WITHOUT_TEXT: readonly string[] = ['Vision', 'Audio'];

/** What a model is built from. @throws Problem model_not_found where one is missing */
export function modelFilesOf(record: VersionRecord) {
  const hasText = !WITHOUT_TEXT.includes(record.model_type);
  const names = MODEL_FILES.filter((name) => hasText || name !== 'tokenizer.json');
  return filesOf(record, [...names, MANIFEST]);
}

/**
 * Builds a model from its own files alone, on one thread.
 *
 * @throws Problem model_not_found, digest_mismatch or invalid_structure
 */
export async function loadModel(env: Env, record: VersionRecord): Promise<LoadedModel> {
  const files = await readFiles(env, record, modelFilesOf(record));
  try {
    const stored = unpackModel(files);
    const { spec } = stored;
    const backend = await openWasmBackend({ threads: 1, deterministic: true });
    const device = backend.device.label;
    if (isClassSpec(spec)) {
      const model = await openClassModel(backend, stored);
      return { kind: 'class', model, spec, labels: labelsOf(spec), device };
    }
    const { spec: own, tokenizer } = textModelOf(stored);
    const model = await openBatchedModel(backend, stored, { slots: 1 });
    return { kind: 'text', model, spec: own, tokenizer, labels: classNamesOf(own), device };
  } catch (error) {
    throw buildProblem(error, nameOf(record));
  }
}
