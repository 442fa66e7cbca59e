import { sha256 } from '@noble/hashes/sha2.js';
import { type Digest, digestOf } from '../edge/contract/digest.ts';
import { callEndpoint, openHttp } from '../edge/contract/client.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import { beginUpload, resumeUpload } from '../edge/uploads/contract/client.ts';
import { MAX_PART_BYTES, type Part } from '../edge/training/contract/checkpoint.ts';
import type { DatasetRecord } from '../edge/datasets/contract/dataset.ts';
import { datasetEndpoints } from '../edge/datasets/endpoints.ts';
import { retry } from './backoff.ts';
import type { ServiceAddress } from './job-messages.ts';
import { digestOfBytes } from './parts.ts';
import { createTrainingClient } from './training-client.ts';

interface DatasetUpload {
  readonly name: string;
  readonly file: Blob;
  readonly contentType?: string;
  /** Called with the stored and total bytes, first after the file was hashed. */
  readonly onProgress?: (there: number, total: number) => void;
  /** Called with each failure that is retried. */
  readonly onFailure?: (error: unknown) => void;
  readonly signal?: AbortSignal;
}

type SendOptions = {
  readonly [K in 'onProgress' | 'onFailure' | 'signal']: DatasetUpload[K] | undefined;
};

/**
 * Uploads a file as a dataset of the platform. A large one is sent by tus, a small one as parts, of which
 * only missing ones are sent: the same call resumes an interrupted upload.
 * @throws ProblemError already_exists if the name has other content
 */
export async function sendDataset(
  address: ServiceAddress,
  { name, file, contentType, onProgress, onFailure, signal }: DatasetUpload,
): Promise<DatasetRecord> {
  const client = createTrainingClient(address);
  const { digest, parts } = await cutBlob(file, signal);
  const retryOptions = { signal, onFailure };
  if (parts.length > 1) {
    const type = contentType ?? file.type;
    return sendWhole(address, { name, file, type, digest }, { onProgress, ...retryOptions });
  }
  const digests = [...new Set(parts.map((part) => part.digest))];
  const missing = await retry(() => client.missingParts(digests, signal), retryOptions);
  const toSend = new Set(missing);
  let there = 0;
  for (const [i, part] of parts.entries()) {
    if (toSend.delete(part.digest)) {
      const start = i * MAX_PART_BYTES;
      const bytes = file.slice(start, start + MAX_PART_BYTES);
      await retry(() => client.putPart(part.digest, bytes, signal), retryOptions);
    }
    there += part.size_bytes;
    onProgress?.(there, file.size);
  }
  const { body } = await callEndpoint(openHttp(address), datasetEndpoints.putDataset, {
    params: { name },
    body: {
      digest,
      size_bytes: file.size,
      parts: [...parts],
      ...(contentType && { content_type: contentType }),
    },
    signal,
  });
  return body;
}

interface WholeFile {
  readonly name: string;
  readonly file: Blob;
  readonly type: string;
  readonly digest: Digest;
}

/** Uploads a file by tus. An upload of the same bytes under the same name is resumable for a day. */
async function sendWhole(
  address: ServiceAddress,
  { name, file, type, digest }: WholeFile,
  { onProgress, signal, ...retryOptions }: SendOptions,
): Promise<DatasetRecord> {
  const http = openHttp(address);
  const client = createTrainingClient(address);
  const existing = await retry(() => client.dataset(name), { signal, ...retryOptions }).catch(
    unlessMissing,
  );
  if (existing?.digest === digest) return existing;
  const begin = (idempotencyKey?: string) =>
    beginUpload(http, {
      path: `/datasets/${encodeURIComponent(name)}/uploads`,
      metadata: { digest, ...(type !== '' && { filetype: type }) },
      sizeBytes: file.size,
      idempotencyKey,
      signal,
    });
  const resume = (location: string) =>
    resumeUpload(http, { location, body: file, onProgress, signal });
  const send = async () => {
    try {
      await resume(await begin(`${name}:${digest}`));
    } catch (error) {
      const isGone = error instanceof ProblemError && error.code === 'upload_not_found';
      if (!isGone) throw error;
      await resume(await begin());
    }
  };
  await retry(send, { signal, ...retryOptions });
  return client.dataset(name);
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof ProblemError) || error.code !== 'dataset_not_found') throw error;
}

/** The digests of a file and of the parts it is cut into; one part is in memory at a time. */
export async function cutBlob(
  file: Blob,
  signal?: AbortSignal,
): Promise<{ readonly digest: Digest; readonly parts: readonly Part[] }> {
  const whole = sha256.create();
  const parts: Part[] = [];
  for (let start = 0; start < file.size; start += MAX_PART_BYTES) {
    signal?.throwIfAborted();
    const bytes = new Uint8Array(await file.slice(start, start + MAX_PART_BYTES).arrayBuffer());
    whole.update(bytes);
    parts.push({ digest: await digestOfBytes(bytes), size_bytes: bytes.length });
  }
  return { digest: digestOf(whole.digest()), parts };
}
