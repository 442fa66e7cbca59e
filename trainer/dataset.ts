import { sha256 } from '@noble/hashes/sha2.js';
import { digestOf } from '../edge/contract/digest.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import { DatasetName, type DatasetRecord } from '../edge/datasets/contract/dataset.ts';
import {
  type DataFiles,
  isZipName,
  noFiles,
  singleFile,
  type TextFormat,
  zipFiles,
} from '../engine/index.ts';
import { retry, type RetryOptions } from './backoff.ts';
import type { DatasetCache, JobEnvironment, JobFiles, OpenSource } from './environment.ts';
import { JobFailure } from './job-failure.ts';
import type { TrainingClient } from './training-client.ts';

type DatasetClient = Pick<TrainingClient, 'dataset' | 'datasetBytes'>;

export interface OpenDataset {
  readonly files: DataFiles;
  /** Of a text without a telling extension. */
  readonly format: TextFormat | undefined;
  /** Of the file, where the platform holds it. */
  readonly digest: string | undefined;
  close(): Promise<void>;
}

const PLATFORM = 'datasets/';
const JSONL_TYPES: ReadonlySet<string> = new Set(['application/jsonl', 'application/x-ndjson']);
const ZIP_TYPE = 'application/zip';

/** As `openDataset`; an empty dataset for a job on synthetic data. */
export function openJobData(
  path: string | undefined,
  ...how: Parameters<typeof openDataset> extends [unknown, ...infer Rest] ? Rest : never
): Promise<OpenDataset> {
  if (path !== undefined) return openDataset(path, ...how);
  const files = noFiles;
  return Promise.resolve({ files, digest: undefined, format: undefined, close: files.close });
}

/**
 * Opens the `dataset_path` of a job: a dataset of the platform as `datasets/<name>`, which is downloaded
 * once and verified, else a file or folder below the data root. A zip archive is opened as a folder.
 * @throws JobFailure `dataset_invalid` that names what is missing or malformed
 */
export async function openDataset(
  path: string,
  client: DatasetClient,
  { cache, files }: Pick<JobEnvironment, 'cache' | 'files'>,
  retryOptions: RetryOptions,
): Promise<OpenDataset> {
  const record = await findRecord(path, client, retryOptions);
  if (!record) return { ...(await openHere(path, files)), digest: undefined, format: undefined };
  const source = await fetchDataset(record, client, cache, retryOptions);
  const isZip = record.content_type === ZIP_TYPE || isZipName(path);
  const format = JSONL_TYPES.has(record.content_type) ? 'jsonl' : undefined;
  return { ...(await openSource(source, isZip)), digest: record.digest, format };
}

type Opened = Omit<OpenDataset, 'digest' | 'format'>;

/** A local file or folder, also for a path that looks like a dataset of the platform but is none. */
async function openHere(path: string, files: JobFiles | undefined): Promise<Opened> {
  if (!files) {
    const why = path.startsWith(PLATFORM)
      ? 'the platform has no such dataset'
      : 'a tab has no files';
    throw new JobFailure('dataset_invalid', `dataset_path is "${path}": ${why}`);
  }
  const found = await files.openDataset(path);
  if ('read' in found) return openSource(found, isZipName(path));
  return { files: found, close: () => found.close() };
}

async function openSource(source: OpenSource, isZip: boolean): Promise<Opened> {
  try {
    const files = isZip ? await zipFiles(source) : singleFile(source);
    return { files, close: () => source.close() };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function findRecord(
  path: string,
  client: DatasetClient,
  retryOptions: RetryOptions,
): Promise<DatasetRecord | undefined> {
  if (!path.startsWith(PLATFORM)) return undefined;
  const name = DatasetName.safeParse(path.slice(PLATFORM.length));
  if (!name.success) return undefined;
  try {
    return await retry(() => client.dataset(name.data), retryOptions);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'dataset_not_found') return undefined;
    throw error;
  }
}

async function fetchDataset(
  record: DatasetRecord,
  client: DatasetClient,
  cache: DatasetCache,
  retryOptions: RetryOptions,
): Promise<OpenSource> {
  const { digest, name } = record;
  const cached = await cache.open(digest, name);
  if (cached) return cached;
  const copy = await cache.create(digest);
  try {
    await download(record, client, copy.append, retryOptions);
    await copy.keep();
  } catch (error) {
    await copy.discard();
    throw error;
  }
  const source = await cache.open(digest, name);
  if (source) return source;
  throw new JobFailure('runtime_error', `the copy of datasets/${name} is gone already`, true);
}

/** Downloads all bytes; after a broken connection it continues from the last byte received. */
async function download(
  { name, digest, size_bytes }: DatasetRecord,
  client: DatasetClient,
  append: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
  retryOptions: RetryOptions,
): Promise<void> {
  const hash = sha256.create();
  let position = 0;
  const resume = async () => {
    const { body } = await client.datasetBytes(name, position);
    for await (const bytes of piecesOf(body, retryOptions.signal)) {
      hash.update(bytes);
      await append(bytes);
      position += bytes.length;
    }
    return position;
  };
  let reached = 0;
  do reached = await retry(resume, retryOptions);
  while (reached < size_bytes);
  const found = digestOf(hash.digest());
  if (position === size_bytes && found === digest) return;
  throw new JobFailure(
    'dataset_invalid',
    `datasets/${name}: ${position} bytes with the digest ${found} arrived, ` +
      `expected ${size_bytes} with ${digest}`,
    true,
  );
}

async function* piecesOf(body: Response['body'], signal: AbortSignal | undefined) {
  const reader = body?.getReader();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const piece = await reader?.read();
      if (!piece || piece.done) return;
      yield piece.value as Uint8Array<ArrayBuffer>;
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}
