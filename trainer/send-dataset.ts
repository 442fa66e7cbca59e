import { sha256 } from '@noble/hashes/sha2.js';
import { type Digest, digestOf } from '../edge/contract/digest.ts';
import { callEndpoint, openHttp } from '../edge/contract/client.ts';
import { ProblemError } from '../edge/contract/problem-error.ts';
import { beginUpload, resumeUpload } from '../edge/uploads/contract/client.ts';
import { MAX_PART_BYTES, type Part } from '../edge/training/contract/checkpoint.ts';
import type { DatasetRecord } from '../edge/datasets/contract/dataset.ts';
import { datasetEndpoints } from '../edge/datasets/endpoints.ts';
import { persist } from './backoff.ts';
import type { ServiceAddress } from './job-messages.ts';
import { digestOfBytes } from './parts.ts';
import { createTrainingClient } from './training-client.ts';

export interface DatasetUpload {
  readonly name: string;
  readonly file: Blob;
  readonly contentType?: string;
  /** Bytes that are there, of all. First told once the file was read through. */
  readonly onProgress?: (there: number, total: number) => void;
  /** Told of each failure that another try follows. */
  readonly onFailure?: (error: unknown) => void;
  readonly signal?: AbortSignal;
}

type SendOptions = {
  readonly [K in 'onProgress' | 'onFailure' | 'signal']: DatasetUpload[K] | undefined;
};

/**
 * Makes a file a dataset of the platform. A large one goes up by tus, a small one as parts, of which
 * only those are sent that are not there: what was broken off goes on where it was, with the same call.
 *
 * @throws ProblemError already_exists where the name stands for another content
 */
export async function sendDataset(
  address: ServiceAddress,
  { name, file, contentType, onProgress, onFailure, signal }: DatasetUpload,
): Promise<DatasetRecord> {
  const client = createTrainingClient(address);
  const { digest, parts } = await cutBlob(file, signal);
  const persistence = { signal, onFailure };
  if (parts.length > 1) {
    const type = contentType ?? file.type;
    return sendWhole(address, { name, file, type, digest }, { onProgress, ...persistence });
  }
  const digests = [...new Set(parts.map((part) => part.digest))];
  const missing = await persist(() => client.missingParts(digests, signal), persistence);
  const toSend = new Set(missing);
  let there = 0;
  for (const [i, part] of parts.entries()) {
    if (toSend.delete(part.digest)) {
      const start = i * MAX_PART_BYTES;
      const bytes = file.slice(start, start + MAX_PART_BYTES);
      await persist(() => client.putPart(part.digest, bytes, signal), persistence);
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

/** Sends a file by tus. The upload of the same bytes under the same name is gone on with for a day. */
async function sendWhole(
  address: ServiceAddress,
  { name, file, type, digest }: WholeFile,
  { onProgress, signal, ...persistence }: SendOptions,
): Promise<DatasetRecord> {
  const http = openHttp(address);
  const client = createTrainingClient(address);
  const existing = await persist(() => client.dataset(name), { signal, ...persistence }).catch(
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
  await persist(send, { signal, ...persistence });
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
