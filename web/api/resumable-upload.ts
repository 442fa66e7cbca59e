import { createStore, type StoreApi } from 'zustand';
import { MAX_UPLOAD_BYTES } from '../../edge/registry/contract/model-file.ts';
import { ProblemError, problemErrorOf } from '../../edge/contract/problem-error.ts';
import {
  TUS_CHUNK,
  TUS_VERSION,
  writeChecksum,
  writeMetadata,
} from '../../edge/uploads/contract/tus.ts';
import { ownFetch, sessionHeaders } from './own-fetch.ts';
import { sendChunk } from './send-chunk.ts';

/** Sent at a time: what a broken connection loses at most. */
const CHUNK_BYTES = Math.min(8 * 1024 * 1024, MAX_UPLOAD_BYTES);
const MAX_WAIT_MS = 15_000;

/**
 *   sending --pause--> paused --resume--> sending
 *      |----broken---> waiting --(in time, or resume)--> sending
 *      |--> done | failed
 */
export type UploadState =
  | { readonly status: 'sending' | 'paused' | 'waiting'; readonly sent: number }
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly error: unknown };

export interface UploadTarget {
  readonly modelId: string;
  readonly version: string;
  readonly file: File;
}

export interface ResumableUpload extends UploadTarget {
  readonly store: StoreApi<UploadState>;
  pause(): void;
  /** Goes on from what the registry has; also after a failure. */
  resume(): void;
  /** Stops for good, and lets the registry forget what it has. */
  cancel(): void;
}

/** Uploads a file in pieces by tus, from where it stopped whenever the connection breaks. */
export function startUpload(target: UploadTarget): ResumableUpload {
  const store = createStore<UploadState>(() => ({ status: 'sending', sent: 0 }));
  let abort = new AbortController();
  let address: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** Bytes known to have arrived. */
  let stored = 0;

  async function run(signal: AbortSignal) {
    store.setState({ status: 'sending', sent: stored }, true);
    try {
      if (address === undefined) address = await create(target, signal);
      else stored = await offsetOf(address, signal);
      while (stored < target.file.size) {
        const onProgress = (bytes: number) => {
          if (!signal.aborted) store.setState({ status: 'sending', sent: stored + bytes }, true);
        };
        stored = await sendNext({ address, file: target.file, offset: stored, onProgress, signal });
        failures = 0;
      }
      store.setState({ status: 'done' }, true);
    } catch (error) {
      if (!signal.aborted) broken(error);
    }
  }

  function broken(error: unknown) {
    const mayHeal = error instanceof ProblemError ? error.problem.retryable : true;
    if (!mayHeal) {
      store.setState({ status: 'failed', error }, true);
      return;
    }
    store.setState({ status: 'waiting', sent: stored }, true);
    timer = setTimeout(resume, Math.min(MAX_WAIT_MS, 1000 * 2 ** failures));
    failures++;
  }

  function stop() {
    clearTimeout(timer);
    abort.abort();
  }

  function resume() {
    stop();
    abort = new AbortController();
    void run(abort.signal);
  }

  void run(abort.signal);
  return {
    ...target,
    store,
    resume,
    pause() {
      stop();
      store.setState({ status: 'paused', sent: stored }, true);
    },
    cancel() {
      stop();
      if (address !== undefined) void ownFetch(address, { method: 'DELETE', headers: TUS });
    },
  };
}

const TUS = { 'tus-resumable': TUS_VERSION };

async function create({ modelId, version, file }: UploadTarget, signal: AbortSignal) {
  const answer = await ownFetch(`/registry/models/${encodeURIComponent(modelId)}/uploads`, {
    method: 'POST',
    headers: {
      ...TUS,
      'upload-length': String(file.size),
      'upload-metadata': writeMetadata({ filename: file.name, version }),
    },
    signal,
  });
  const address = answer.headers.get('location');
  if (!answer.ok || address === null) throw await problemErrorOf(answer);
  return address;
}

async function offsetOf(address: string, signal: AbortSignal): Promise<number> {
  const answer = await ownFetch(address, { method: 'HEAD', headers: TUS, signal });
  if (!answer.ok) throw await problemErrorOf(answer);
  return Number(answer.headers.get('upload-offset'));
}

interface Next {
  readonly address: string;
  readonly file: File;
  readonly offset: number;
  readonly onProgress: (bytes: number) => void;
  readonly signal: AbortSignal;
}

async function sendNext({ address, file, offset, onProgress, signal }: Next): Promise<number> {
  const body = file.slice(offset, offset + CHUNK_BYTES);
  const headers = {
    ...sessionHeaders,
    ...TUS,
    'content-type': TUS_CHUNK,
    'upload-offset': String(offset),
    ...(await checksumOf(body)),
  };
  await sendChunk(address, { headers, body, onProgress, signal });
  return offset + body.size;
}

/** Without `crypto.subtle`, which insecure pages lack, the registry's own hash has to do. */
async function checksumOf(body: Blob): Promise<Record<string, string>> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (!subtle) return {};
  const hash = new Uint8Array(await subtle.digest('SHA-256', await body.arrayBuffer()));
  return { 'upload-checksum': writeChecksum({ algorithm: 'sha256', hash }) };
}
