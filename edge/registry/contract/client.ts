import * as z from 'zod/mini';
import { Digest } from '../../contract/digest.ts';
import {
  bodyOf,
  callEndpoint,
  type CallOptions,
  checked,
  clientOf,
  type Http,
  type HttpOptions,
  openHttp,
  pathOf,
  urlOf,
} from '../../contract/client.ts';
import type { RegistrationInput, VersionRecord } from './model.ts';
import { UploadAnswer } from './model-file.ts';
import { registryEndpoints } from '../endpoints.ts';
import { ownProblem } from '../../contract/refusal.ts';
import {
  beginUpload,
  digestBody,
  endUpload,
  type ResumedUpload,
  resumeUpload,
} from '../../uploads/contract/client.ts';
import { uploadEndpoints } from '../../uploads/endpoints.ts';
import { type Bytes, type Progress, sendUpload, sizeOf } from '../../uploads/contract/transport.ts';

interface FileAddress {
  readonly modelId: string;
  readonly filename: string;
  /** The model's default version where it is left out. */
  readonly version?: string | undefined;
  readonly alias?: string | undefined;
}

interface UploadRequest extends CallOptions {
  readonly modelId: string;
  readonly version: string;
  readonly filename: string;
  readonly body: Bytes;
  /** The digest of the body, where it is known already. */
  readonly digest?: string | undefined;
  readonly onProgress?: Progress | undefined;
  /** Told where a large upload goes on, for `resumeUpload` after a reload or an abort. */
  readonly onLocation?: ((location: string) => void) | undefined;
}

/** A file that is larger goes up in pieces. */
const RESUMABLE_FROM_BYTES = 32 * 1024 * 1024;

interface Registered {
  readonly record: VersionRecord;
  /** `same` if an identical registration existed. */
  readonly outcome: 'created' | 'same';
}

export type RegistryClient = ReturnType<typeof createRegistryClient>;

/**
 * The model registry, as its table of endpoints has it, and its files: sent in pieces that a broken
 * connection cannot undo where they are large, and checked against their digests.
 */
export function createRegistryClient(options: HttpOptions) {
  const http = openHttp(options);
  return {
    ...clientOf(registryEndpoints, http),
    /** @throws ProblemError version_immutable where the version exists with other content */
    async register(body: RegistrationInput, init: CallOptions = {}): Promise<Registered> {
      const asked = { ...init, body };
      const { status, body: record } = await callEndpoint(
        http,
        registryEndpoints.registerModel,
        asked,
      );
      return { record, outcome: status === 201 ? 'created' : 'same' };
    },
    upload: (request: UploadRequest) => upload(http, request),
    /** Goes on with a large upload that was broken off. @throws ProblemError upload_not_found once it has expired */
    resumeUpload: (resumed: ResumedUpload) => resumeUpload(http, resumed),
    /** Gives a large upload up, and has its bytes deleted. */
    endUpload: (location: string) => endUpload(http, location),
    download: (file: FileAddress, init: CallOptions = {}) => download(http, file, init),
    /** The address a link to a file leads to. */
    downloadUrl: (file: FileAddress) => urlOf(http, registryEndpoints.downloadFile, askedFor(file)),
  };
}

/**
 * Uploads a file: in one request, or in pieces that a broken connection cannot undo where it is
 * large. Its digest goes along where it is known, or the runtime can compute it in memory.
 *
 * @throws ProblemError version_immutable, digest_mismatch, checksum_mismatch or model_not_found
 */
async function upload(http: Http, request: UploadRequest): Promise<UploadAnswer> {
  return sizeOf(request.body) > RESUMABLE_FROM_BYTES
    ? uploadInPieces(http, request)
    : uploadAtOnce(http, request);
}

async function uploadAtOnce(http: Http, request: UploadRequest): Promise<UploadAnswer> {
  const { modelId, filename, version, body, onProgress, signal } = request;
  const digest = request.digest ?? (await digestBody(body));
  const asked = { params: { id: modelId }, query: { filename, version, digest } };
  const answer = await sendUpload(
    {
      method: 'POST',
      url: urlOf(http, registryEndpoints.uploadFile, asked),
      headers: { ...http.headers, 'content-type': 'application/octet-stream' },
      body,
      onProgress,
      signal,
    },
    http.fetch,
  );
  return bodyOf(await checked(answer), UploadAnswer);
}

async function uploadInPieces(http: Http, request: UploadRequest): Promise<UploadAnswer> {
  const { modelId, filename, version, body, onProgress, signal } = request;
  // A Blob may be larger than memory; each of its pieces has a checksum anyway.
  const digest = request.digest ?? (body instanceof Blob ? undefined : await digestBody(body));
  const path = pathOf(uploadEndpoints.createUpload.path, { id: modelId });
  const metadata = { filename, version, digest };
  const location = await beginUpload(http, { path, metadata, sizeBytes: sizeOf(body), signal });
  request.onLocation?.(location);
  return resumeUpload(http, { location, body, onProgress, signal });
}

/**
 * The bytes of a file.
 *
 * @throws ProblemError file_not_found, or digest_mismatch where what arrived is not what is stored
 */
async function download(
  http: Http,
  file: FileAddress,
  init: CallOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const asked = { ...askedFor(file), ...init };
  const { body: answer } = await callEndpoint(http, registryEndpoints.downloadFile, asked);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const expected = z.safeParse(Digest, answer.headers.get('etag')?.slice(1, -1));
  const arrived = await digestBody(bytes);
  if (expected.success && arrived !== undefined && arrived !== expected.data) {
    throw ownProblem(
      'digest_mismatch',
      `${file.filename}: expected ${expected.data}, but ${arrived} arrived`,
    );
  }
  return bytes;
}

const askedFor = ({ modelId, filename, version, alias }: FileAddress) => ({
  params: { id: modelId, filename },
  query: { version, alias },
});
