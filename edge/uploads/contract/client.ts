import { type Digest, digestOf } from '../../contract/digest.ts';
import { checked, type Http } from '../../contract/client.ts';
import { etagOf, type UploadAnswer } from '../../registry/contract/model-file.ts';
import { ProblemError, invalidResponse } from '../../contract/problem-error.ts';
import { ownProblem } from '../../contract/refusal.ts';
import { TUS_CHUNK, TUS_VERSION, writeChecksum, writeMetadata } from './tus.ts';
import { type Bytes, type Progress, sendUpload, sizeOf, sliceOf } from './transport.ts';

/** Bytes per request: two parts of the bucket, so that no remainder is buffered. */
const CHUNK_BYTES = 16 * 1024 * 1024;

/** Retry delays of a failed chunk while nothing has arrived since. */
const RETRY_DELAYS_MS = [250, 1000, 3000, 8000, 15_000] as const;

export interface ResumedUpload {
  /** The address that `onLocation` received when the upload began. */
  readonly location: string;
  /** The very bytes it began with. */
  readonly body: Bytes;
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface BegunUpload {
  readonly path: string;
  readonly metadata: Readonly<Record<string, string | undefined>>;
  /** The same key gives the same upload again, for a day. */
  readonly idempotencyKey?: string | undefined;
  readonly sizeBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const TUS = { 'tus-resumable': TUS_VERSION } as const;

/** Begins a resumable upload. Returns the address it goes on at. @throws ProblemError */
export async function beginUpload(
  http: Http,
  { path, metadata, sizeBytes, idempotencyKey, signal }: BegunUpload,
): Promise<string> {
  const url = http.base + path;
  const headers = {
    ...http.headers,
    ...TUS,
    'upload-length': String(sizeBytes),
    'upload-metadata': writeMetadata(metadata),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  // One that was begun without our learning of it expires.
  const answer = await retry(signal, async () =>
    checked(await http.fetch(url, { method: 'POST', headers, ...(signal && { signal }) })),
  );
  const location = answer.headers.get('location');
  if (location === null) throw invalidResponse(answer, 'expected a Location');
  // An absolute path of the service's own origin; a page has it, too.
  return /^https?:/.test(http.base) ? new URL(location, http.base).href : location;
}

/**
 * Sends the missing bytes of an upload, chunk by chunk, each with its checksum. A failed chunk
 * is tried again from where the registry says it stands.
 *
 * @throws ProblemError for a refusal, such as upload_not_found after it expired; after several
 *   tries in vain what fetch throws; the signal's reason on an abort, after which it can be resumed
 */
export async function resumeUpload(http: Http, upload: ResumedUpload): Promise<UploadAnswer> {
  const total = sizeOf(upload.body);
  let standing = await retry(upload.signal, () => show(http, upload));
  if (standing.length !== total) {
    const detail = `the upload has ${standing.length} bytes, but the body ${total}`;
    throw ownProblem('offset_mismatch', detail);
  }
  while (standing.offset < total) {
    upload.onProgress?.(standing.offset, total);
    standing = await advance(http, upload, standing);
  }
  upload.onProgress?.(total, total);
  return answerOf(await retry(upload.signal, () => show(http, upload)), total);
}

/** Gives an upload up. One that is gone already is fine. */
export async function endUpload(http: Http, location: string): Promise<void> {
  const answer = await http.fetch(location, {
    method: 'DELETE',
    headers: { ...http.headers, ...TUS },
  });
  if (answer.status !== 404) await checked(answer);
}

interface Standing {
  readonly offset: number;
  readonly length: number;
  readonly headers: Headers;
}

/** Sends one chunk. Where that fails, looks how much of it arrived, and tries again. */
async function advance(http: Http, upload: ResumedUpload, standing: Standing): Promise<Standing> {
  let current = standing;
  return retry(upload.signal, async (attempt) => {
    if (attempt > 0) current = await show(http, upload);
    if (current.offset !== standing.offset) return current;
    const offset = await sendChunk(http, upload, current.offset);
    return { ...current, offset };
  });
}

async function sendChunk(http: Http, upload: ResumedUpload, offset: number): Promise<number> {
  const { location, body, onProgress, signal } = upload;
  const total = sizeOf(body);
  const chunk = sliceOf(body, offset, Math.min(offset + CHUNK_BYTES, total));
  const hash = await hashOfBytes(chunk);
  const answer = await sendUpload(
    {
      method: 'PATCH',
      url: location,
      headers: {
        ...http.headers,
        ...TUS,
        'content-type': TUS_CHUNK,
        'upload-offset': String(offset),
        ...(hash && { 'upload-checksum': writeChecksum({ algorithm: 'sha256', hash }) }),
      },
      body: chunk,
      onProgress: onProgress && ((sent) => onProgress(offset + sent, total)),
      signal,
    },
    http.fetch,
  );
  return offsetIn(await checked(answer));
}

async function show(http: Http, { location, signal }: ResumedUpload): Promise<Standing> {
  const answer = await http.fetch(location, {
    method: 'HEAD',
    headers: { ...http.headers, ...TUS },
    ...(signal && { signal }),
  });
  if (answer.status === 404) {
    throw ownProblem('upload_not_found', `${location} is no upload, or it has expired`);
  }
  const { headers } = await checked(answer);
  return { offset: offsetIn(answer), length: Number(headers.get('upload-length')), headers };
}

function offsetIn(answer: Response): number {
  const text = answer.headers.get('upload-offset');
  if (text !== null && /^\d+$/.test(text)) return Number(text);
  throw invalidResponse(answer, `expected an Upload-Offset, got ${JSON.stringify(text)}`);
}

/** The file that came of an upload, by what its HEAD says. */
function answerOf({ headers }: Standing, sizeBytes: number): UploadAnswer {
  const [, hash] = /^sha-256=:([A-Za-z0-9+/=]{44}):$/.exec(headers.get('repr-digest') ?? '') ?? [];
  if (hash === undefined) throw ownProblem('upload_not_found', 'no file came of the upload');
  const digest = digestOf(Uint8Array.from(atob(hash), (char) => char.charCodeAt(0)));
  return { ...placeOf(headers), size_bytes: sizeBytes, digest, etag: etagOf(digest) };
}

/** Where the file lies: `/models/{id}/download/{filename}?version={version}`. */
function placeOf(headers: Headers): Pick<UploadAnswer, 'model_id' | 'version' | 'filename'> {
  const place = headers.get('content-location') ?? '';
  const parts = /\/models\/([^/]+)\/download\/([^/?]+)\?version=([^&]+)$/.exec(place);
  const [, model_id = '', filename = '', version = ''] = (parts ?? []).map(decodeURIComponent);
  return { model_id, version, filename };
}

/** Tries until it succeeds, is refused for good, or has failed too often. */
async function retry<T>(
  signal: AbortSignal | undefined,
  attempt: (count: number) => Promise<T>,
): Promise<T> {
  for (let count = 0; ; count++) {
    signal?.throwIfAborted();
    try {
      return await attempt(count);
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[count];
      if (signal?.aborted || delayMs === undefined || !isTransient(error)) throw error;
      await pause(delayMs, signal);
    }
  }
}

/** A broken connection, or a refusal that another try may not meet. */
const isTransient = (error: unknown): boolean =>
  error instanceof ProblemError
    ? error.problem.retryable || error.status >= 500
    : error instanceof TypeError;

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The digest of a body. Undefined where there is no `crypto.subtle`: on a page served neither over HTTPS nor by this machine. */
export async function digestBody(body: Bytes): Promise<Digest | undefined> {
  const hash = await hashOfBytes(body);
  return hash && digestOf(hash);
}

async function hashOfBytes(body: Bytes): Promise<Uint8Array | undefined> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (!subtle) return undefined;
  const bytes = body instanceof Uint8Array ? body : await body.arrayBuffer();
  return new Uint8Array(await subtle.digest('SHA-256', bytes));
}
