import * as z from 'zod/mini';
import { Digest, digestOf } from './digest.ts';
import {
  bodyOf,
  call,
  type CallOptions,
  checked,
  type Http,
  type HttpOptions,
  openHttp,
  queryOf,
} from './http-client.ts';
import { MAX_UPLOAD_BYTES, UploadAnswer } from './model-file.ts';
import type { ModelFilters, ModelList } from './model-list.ts';
import type { ModelDetails, RegistrationInput, VersionRecord } from './model.ts';
import { registryEndpoints } from './registry-endpoints.ts';
import { callEndpoint } from './endpoint-client.ts';
import { ownProblem } from './problem-error.ts';
import { type Progress, sendUpload } from './upload-transport.ts';

export interface FileAddress {
  readonly modelId: string;
  readonly filename: string;
  /** The model's default version where it is left out. */
  readonly version?: string | undefined;
}

export interface UploadRequest extends CallOptions {
  readonly modelId: string;
  readonly version: string;
  readonly filename: string;
  readonly body: Blob | Uint8Array<ArrayBuffer>;
  readonly onProgress?: Progress | undefined;
}

export interface Registered {
  readonly record: VersionRecord;
  /** Whether this registration was there already, word for word. */
  readonly outcome: 'created' | 'same';
}

export type RegistryClient = ReturnType<typeof createRegistryClient>;

/**
 * Talks to the model registry. Every answer is parsed by the contract's schemas; every refusal is
 * thrown as a `ProblemError` that carries the problem document. A network failure throws what
 * fetch throws.
 */
export function createRegistryClient(options: HttpOptions) {
  const http = openHttp(options);
  return {
    /** @throws ProblemError version_immutable where the version exists with other content */
    async register(registration: RegistrationInput, init: CallOptions = {}): Promise<Registered> {
      const asked = { ...init, body: registration };
      const { status, body } = await callEndpoint(http, registryEndpoints.registerModel, asked);
      return { record: body, outcome: status === 201 ? 'created' : 'same' };
    },

    async list(filters: ModelFilters = {}, init: CallOptions = {}): Promise<ModelList> {
      const asked = { ...init, query: { ...filters } };
      return (await callEndpoint(http, registryEndpoints.listModels, asked)).body;
    },

    /** One version, the default one where none is named. @throws ProblemError model_not_found */
    async get(
      modelId: string,
      { version, signal }: CallOptions & Pick<FileAddress, 'version'> = {},
    ): Promise<ModelDetails> {
      const asked = { params: { id: modelId }, query: { version }, signal };
      return (await callEndpoint(http, registryEndpoints.getModel, asked)).body;
    },

    upload: (request: UploadRequest) => upload(http, request),
    download: (file: FileAddress, init: CallOptions = {}) => download(http, file, init),
    /** The address a link to a file leads to. */
    downloadUrl: (file: FileAddress) => http.base + filePath(file),
  };
}

/**
 * Uploads a file in one request, with its digest where the runtime can compute one.
 *
 * @throws ProblemError payload_too_large, before sending, where the file is larger than a request
 *   may be; version_immutable, digest_mismatch or model_not_found by the registry
 */
async function upload(http: Http, request: UploadRequest): Promise<UploadAnswer> {
  const { modelId, filename, version, body, onProgress, signal } = request;
  const size = body instanceof Uint8Array ? body.byteLength : body.size;
  if (size > MAX_UPLOAD_BYTES) {
    const detail = `${filename} has ${size} bytes, expected at most ${MAX_UPLOAD_BYTES}`;
    throw ownProblem('payload_too_large', detail);
  }
  const query = queryOf({ filename, version, digest: await digestBody(body) });
  const answer = await sendUpload(
    {
      url: `${http.base}${modelPath(modelId)}/upload${query}`,
      headers: { ...http.headers, 'content-type': 'application/octet-stream' },
      body,
      onProgress,
      signal,
    },
    http.fetch,
  );
  return bodyOf(await checked(answer), UploadAnswer);
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
  const answer = await call(http, filePath(file), init);
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

const modelPath = (modelId: string) => `/models/${encodeURIComponent(modelId)}`;

const filePath = ({ modelId, filename, version }: FileAddress) =>
  `${modelPath(modelId)}/download/${encodeURIComponent(filename)}${queryOf({ version })}`;

/** Undefined where there is no `crypto.subtle`: on a page served neither over HTTPS nor by this machine. */
async function digestBody(body: Blob | Uint8Array<ArrayBuffer>): Promise<Digest | undefined> {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  const bytes = body instanceof Uint8Array ? body : await body.arrayBuffer();
  return subtle && digestOf(await subtle.digest('SHA-256', bytes));
}
