import type { VersionChoice, VersionRecord } from '../registry/contract/model.ts';
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
import { EDGE_MODEL_BYTES } from './edge-endpoints.ts';
import { digestOf } from '../contract/digest.ts';
import type { FileRecord } from '../registry/contract/model-file.ts';
import { Problem } from '../http/problem.ts';
import { modelNotFound, registryOf, versionOf } from '../registry/registry-stub.ts';

/** A model in the memory of this isolate. It answers one request at a time. */
export type LoadedModel = LoadedText | LoadedClasses;

/** A model that generates text, possibly from images and audio. */
export interface LoadedText {
  readonly kind: 'text';
  readonly model: BatchedModel;
  readonly spec: TextSpec;
  readonly tokenizer: StoredModel<TextSpec>['tokenizer'];
  /** The classes that it also predicts; empty where it predicts none. */
  readonly labels: readonly string[];
  readonly device: string;
}

/** A classifier of images or audio. */
export interface LoadedClasses {
  readonly kind: 'class';
  readonly model: ClassModel;
  readonly spec: ClassSpec;
  readonly labels: readonly string[];
  readonly device: string;
}

/** Types of models that read no text and have no tokenizer. */
const WITHOUT_TEXT: readonly string[] = ['Vision', 'Audio'];

/** The files a model is built from. @throws Problem model_not_found where one is missing */
export function modelFilesOf(record: VersionRecord) {
  const hasText = !WITHOUT_TEXT.includes(record.model_type);
  const names = MODEL_FILES.filter((name) => hasText || name !== 'tokenizer.json');
  return filesOf(record, [...names, MANIFEST]);
}

/**
 * Builds a model from its own files alone, on one thread.
 *
 * @throws Problem model_not_found, digest_mismatch, invalid_structure or unsupported_neuron
 */
export async function loadModel(env: Env, record: VersionRecord): Promise<LoadedModel> {
  const files = await readFiles(env, record, modelFilesOf(record));
  try {
    const stored = unpackModel(files);
    const { spec } = stored;
    refuseEquations(record, spec);
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

/**
 * The version that a request selects, as visible to a team. @throws Problem model_not_found or
 * alias_not_found
 */
export async function findVersion(
  env: Env,
  modelId: string,
  choice: VersionChoice,
  team: string | undefined,
): Promise<VersionRecord> {
  const version = await versionOf(env, modelId, choice, team);
  const record = await registryOf(env).version({ modelId, version }, team);
  if (record) return record;
  throw modelNotFound(modelId, version);
}

/** workerd compiles no WASM at run time. @throws Problem unsupported_neuron for neurons that are equations */
function refuseEquations(record: VersionRecord, spec: StoredModel['spec']): void {
  if (!('core' in spec && 'equations' in spec.core && spec.core.equations)) return;
  const detail =
    `the neurons of ${nameOf(record)} are equations, and the edge runs those alone that are built in: ` +
    'ask the inference service, POST /inference/infer.';
  throw new Problem('unsupported_neuron', detail);
}

/** The records of the files a model is built from. @throws Problem model_not_found where one is missing */
function filesOf(record: VersionRecord, names: readonly string[]): readonly FileRecord[] {
  return names.map((name) => {
    const file = record.files.find(({ filename }) => filename === name);
    if (file) return file;
    const detail = `${nameOf(record)} has no file ${name}: expected ${names.join(', ')}.`;
    throw new Problem('model_not_found', detail);
  });
}

/** @throws Problem model_cache_full for a model that never fits */
export function checkSize(record: VersionRecord, bytes: number): void {
  if (bytes <= EDGE_MODEL_BYTES) return;
  const detail =
    `${nameOf(record)} has ${bytes} bytes and the edge takes models of at most ` +
    `${EDGE_MODEL_BYTES}: ask the inference service, POST /inference/infer.`;
  throw new Problem('model_cache_full', detail);
}

/** The files from the bucket, each held against its digest. @throws Problem digest_mismatch */
async function readFiles(
  env: Env,
  record: VersionRecord,
  files: readonly FileRecord[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = files.map(
    async (file) => [file.filename, await readFile(env, record, file)] as const,
  );
  return new Map(await Promise.all(read));
}

async function readFile(
  env: Env,
  record: VersionRecord,
  { filename, digest }: FileRecord,
): Promise<Uint8Array> {
  const { model_id: modelId, version } = record;
  const found = await registryOf(env).findFile(
    { modelId, choice: { version }, filename },
    record.team,
  );
  // Deleted since the version was found.
  if (found.kind !== 'found') throw modelNotFound(modelId, version);
  const object = await env.FILES.get(found.stored.objectKey);
  if (!object) throw new Error(`the bucket does not have ${found.stored.objectKey}`);
  const bytes = await object.arrayBuffer();
  const actual = digestOf(await crypto.subtle.digest('SHA-256', bytes));
  if (actual === digest) return new Uint8Array(bytes);
  const detail = `${filename} of ${nameOf(record)} was damaged: it has ${actual}, expected ${digest}.`;
  throw new Problem('digest_mismatch', detail);
}

export const nameOf = ({ model_id, version }: Pick<VersionRecord, 'model_id' | 'version'>) =>
  `${model_id}@${version}`;
