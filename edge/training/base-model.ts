import type { Mismatch } from '../registry/contract/compatibility.ts';
import type { VersionRecord } from '../registry/contract/model.ts';
import type { BaseModel } from './contract/train-request.ts';
import type { Env } from '../env.ts';
import {
  EngineError,
  type Fields,
  memorySource,
  readTokenizer,
  type SpecRecord,
  structureDifferences,
  vocabularyGap,
} from '../../engine/planning.ts';
import { Problem } from '../http/problem.ts';
import { trainingOf } from './training-stub.ts';
import { modelNotFound, registryOf, versionOf } from '../registry/registry-stub.ts';
import { datasetNameIn } from '../datasets/contract/dataset.ts';
import { datasetsOf } from '../datasets/stub.ts';
import { streamOf } from '../datasets/parts.ts';

/** The structure that a request states: the fields that were given. */
interface RequestedStructure {
  readonly architecture: string;
  readonly fields: Fields;
  /** The team whose models may be continued; undefined for all teams. */
  readonly team: string | undefined;
}

/** A registered version that a training continues from. */
export interface RegisteredBase {
  readonly record: VersionRecord;
  readonly spec: SpecRecord;
}

/**
 * The version that a training continues from. The structure that the request states has to be the same;
 * the rest is taken from the version.
 *
 * @throws Problem model_not_found, alias_not_found or base_model_mismatch
 */
export async function resolveBase(
  env: Env,
  { model_id: modelId, ...choice }: BaseModel,
  requested: RequestedStructure,
): Promise<RegisteredBase> {
  const version = await versionOf(env, modelId, choice, requested.team);
  const record = await registryOf(env).version({ modelId, version }, requested.team);
  if (!record) throw modelNotFound(modelId, version);
  const name = `${modelId} ${version}`;
  const spec = matchingSpec(record, requested, name);
  if (record.status === 'READY') return { record, spec };
  throw baseMismatch(`${name} is ${record.status}: ${record.status_message}.`, []);
}

/**
 * The registered result of the job that wrote a path below a trainer's output root. Other files there are
 * only known to the trainer.
 *
 * @throws Problem base_model_mismatch
 */
export async function storedCheckpoint(
  env: Env,
  path: string,
  requested: RequestedStructure,
): Promise<RegisteredBase | undefined> {
  const result = await trainingOf(env).resultAt(path, requested.team);
  const record = result && (await registryOf(env).version(result, requested.team));
  if (!record) return undefined;
  return { record, spec: matchingSpec(record, requested, `The checkpoint at ${path}`) };
}

/** The spec of a version where it agrees with a request. @throws Problem base_model_mismatch */
function matchingSpec(
  { model_spec: spec }: VersionRecord,
  requested: RequestedStructure,
  name: string,
): SpecRecord {
  if (spec === null) {
    const { architecture } = requested;
    const missing = { aspect: 'structure', field: '/model_spec', expected: null } as const;
    throw baseMismatch(`${name} has no model_spec to continue from.`, [
      { ...missing, actual: architecture },
    ]);
  }
  const mismatches = structureDifferences(spec, requested).map(
    ({ aspect, pointer, held, asked: actual }): Mismatch => ({
      aspect,
      field: pointer,
      expected: held,
      actual,
    }),
  );
  if (mismatches.length === 0) return spec;
  const fields = mismatches.map(({ field }) => field.split('/').at(-1));
  throw baseMismatch(`${name} has another ${fields.join(', ')}.`, mismatches);
}

const baseMismatch = (detail: string, mismatches: readonly Mismatch[]) =>
  new Problem('base_model_mismatch', detail, { members: { mismatches } });

/** Larger texts are read by the trainer alone, before its first step. */
const MAX_TEXT_BYTES = 4 * 2 ** 20;
/** Larger tokenizers are none of characters. */
const MAX_TOKENIZER_BYTES = 16 * 2 ** 20;
const TOKENIZER = 'tokenizer.json';
const JSONL_TYPES: ReadonlySet<string> = new Set(['application/jsonl', 'application/x-ndjson']);

/**
 * Rule 4, the tokenizer: one that a request names from the platform has to be the base model's own.
 *
 * @throws Problem base_model_mismatch
 */
export async function requireSameTokenizer(
  env: Env,
  { record }: RegisteredBase,
  { path, team }: Pick<RequestedDataset, 'path' | 'team'>,
): Promise<void> {
  const name = path === undefined ? undefined : datasetNameIn(path);
  const requested = name && (await datasetsOf(env).dataset(name, team));
  const file = record.files.find(({ filename }) => filename === TOKENIZER);
  const expected = record.tokenizer_digest ?? file?.digest;
  if (!requested || expected === undefined || requested.digest === expected) return;
  throw baseMismatch(`${record.model_id} ${record.version} has another tokenizer.`, [
    { aspect: 'tokenizer', field: '/tokenizer_file', expected, actual: requested.digest },
  ]);
}

interface RequestedDataset {
  readonly path: string | undefined;
  /** The team whose datasets may be read; undefined for all teams. */
  readonly team: string | undefined;
  /** The given fields, which determine how the text is read. */
  readonly fields: Fields;
}

/**
 * Rule 4, the vocabulary: each character of a small text on the platform has to be in the base model's
 * vocabulary. Other data only the trainer can check.
 *
 * @throws Problem base_model_mismatch
 */
export async function requireKnownVocabulary(
  env: Env,
  base: RegisteredBase,
  { path, fields, team }: RequestedDataset,
): Promise<void> {
  const { record, spec } = base;
  const name = path === undefined ? undefined : datasetNameIn(path);
  if (name === undefined || !isOfCharacters(spec)) return;
  const found = await datasetsOf(env).datasetWithParts(name, team);
  if (!found || found.record.size_bytes > MAX_TEXT_BYTES) return;
  const { content_type: type } = found.record;
  if (type === 'application/zip' || name.endsWith('.zip')) return;
  const tokenizer = await tokenizerOf(env, base);
  const text = await bytesOf(streamOf(env.FILES, found.parts));
  const requested = {
    sources: [memorySource(name, text)],
    fields,
    ...(JSONL_TYPES.has(type) && { format: 'jsonl' as const }),
  };
  const gap = await vocabularyGap(tokenizer, requested).catch(unlessUnreadable);
  if (!gap) return;
  throw baseMismatch(`${record.model_id} ${record.version} does not know all of ${path}.`, [
    { aspect: 'vocabulary', field: '/dataset_path', expected: gap.known, actual: gap.found },
  ]);
}

function isOfCharacters({ tokenizer }: RegisteredBase['spec']): boolean {
  const isReference = typeof tokenizer === 'object' && tokenizer !== null && 'name' in tokenizer;
  return isReference && tokenizer.name === 'character';
}

async function tokenizerOf(env: Env, { record: { model_id, version } }: RegisteredBase) {
  const address = { modelId: model_id, choice: { version }, filename: TOKENIZER };
  // The base was found to be one that may be read.
  const found = await registryOf(env).findFile(address, undefined);
  if (found.kind !== 'found' || found.stored.file.size_bytes > MAX_TOKENIZER_BYTES) {
    return undefined;
  }
  const object = await env.FILES.get(found.stored.objectKey);
  if (!object) return undefined;
  try {
    return readTokenizer(new Uint8Array(await object.arrayBuffer()));
  } catch (error) {
    return unlessUnreadable(error);
  }
}

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream).arrayBuffer());

/** Errors in a text or file are left to the trainer, which reads it for training. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof EngineError)) throw error;
}
