import {
  EngineError,
  type Fields,
  memorySource,
  readTokenizer,
  vocabularyGap,
} from '../../engine/planning.ts';
import type { Env } from '../env.ts';
import { registryOf } from '../registry/registry-stub.ts';
import { otherBase, type RegisteredBase } from './base-model.ts';
import { datasetNameIn } from '../datasets/dataset-path.ts';
import { datasetsOf } from '../datasets/stub.ts';
import { streamOf } from '../datasets/parts-stream.ts';

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
export async function refuseOtherTokenizer(
  env: Env,
  { record }: RegisteredBase,
  { path, team }: Pick<AskedDataset, 'path' | 'team'>,
): Promise<void> {
  const name = path === undefined ? undefined : datasetNameIn(path);
  const asked = name && (await datasetsOf(env).dataset(name, team));
  const file = record.files.find(({ filename }) => filename === TOKENIZER);
  const expected = record.tokenizer_digest ?? file?.digest;
  if (!asked || expected === undefined || asked.digest === expected) return;
  throw otherBase(`${record.model_id} ${record.version} has another tokenizer.`, [
    { aspect: 'tokenizer', field: '/tokenizer_file', expected, actual: asked.digest },
  ]);
}

export interface AskedDataset {
  readonly path: string | undefined;
  /** Whose data sets may be read; undefined for those of all teams. */
  readonly team: string | undefined;
  /** The fields that were given, which say how the text is read. */
  readonly fields: Fields;
}

/**
 * Rule 4, the vocabulary: of a text of the platform that is not large, each character has to be one
 * that the base model knows. Of other data only a trainer can tell.
 *
 * @throws Problem base_model_mismatch
 */
export async function refuseOtherVocabulary(
  env: Env,
  base: RegisteredBase,
  { path, fields, team }: AskedDataset,
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
  const asked = {
    sources: [memorySource(name, text)],
    fields,
    ...(JSONL_TYPES.has(type) && { format: 'jsonl' as const }),
  };
  const gap = await vocabularyGap(tokenizer, asked).catch(unlessUnreadable);
  if (!gap) return;
  throw otherBase(`${record.model_id} ${record.version} does not know all of ${path}.`, [
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

/** What is wrong with a text or a file is for the trainer to say, which reads it to learn from it. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof EngineError)) throw error;
}
