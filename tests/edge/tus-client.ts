import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { openRequest, type OpenRequest } from './raw-http.ts';

/** The content type of a chunk, by the protocol. */
const CHUNK = 'application/offset+octet-stream';
const TUS = { 'tus-resumable': '1.0.0' } as const;

const base64 = (text: string) => Buffer.from(text).toString('base64');

export const metadataOf = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',');

export const checksumOf = (bytes: Uint8Array, algorithm = 'sha256'): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;

export interface Creation {
  readonly length: number;
  readonly filename?: string;
  readonly version?: string;
  readonly digest?: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** POST: begins an upload at a model's address. */
export function create(model: string, creation: Creation): Promise<Response> {
  const { length, body, headers, filename = 'a.bin', version = '1.0.0', digest } = creation;
  return fetch(`${model}/uploads`, {
    method: 'POST',
    headers: {
      ...TUS,
      'upload-length': String(length),
      'upload-metadata': metadataOf({ filename, version, ...(digest && { digest }) }),
      ...(body && { 'content-type': CHUNK }),
      ...headers,
    },
    ...(body && { body }),
  });
}

/** Begins an upload and returns its address. */
export async function begin(model: string, creation: Creation): Promise<URL> {
  const answer = await create(model, creation);
  expect(answer.status).toBe(201);
  return new URL(answer.headers.get('location') ?? '', model);
}

export function head(
  upload: URL,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(upload, { method: 'HEAD', headers: { ...TUS, ...headers } });
}

/** How far an upload has come. */
export async function offsetOf(upload: URL): Promise<number> {
  const answer = await head(upload);
  expect(answer.status).toBe(200);
  return Number(answer.headers.get('upload-offset'));
}

export function patch(
  upload: URL,
  offset: number,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(upload, {
    method: 'PATCH',
    headers: { ...TUS, 'content-type': CHUNK, 'upload-offset': String(offset), ...headers },
    body,
  });
}

export const end = (upload: URL): Promise<Response> =>
  fetch(upload, { method: 'DELETE', headers: TUS });

/** A PATCH over a socket of its own, which the caller writes to and may tear. */
export function openPatch(upload: URL, offset: number, length: number): OpenRequest {
  return openRequest(upload, [
    `PATCH ${upload.pathname} HTTP/1.1`,
    `Host: ${upload.host}`,
    'Connection: close',
    'Tus-Resumable: 1.0.0',
    `Content-Type: ${CHUNK}`,
    `Upload-Offset: ${offset}`,
    `Content-Length: ${length}`,
  ]);
}
