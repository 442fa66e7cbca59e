import { type Endpoints, options } from '../contract/endpoint.ts';
import type { ProblemCode } from '../contract/problem.ts';
import { MAX_UPLOAD_BYTES } from '../registry/contract/model-file.ts';
import { TUS_CHUNK } from './contract/tus.ts';
import { anyId, describe } from '../contract/endpoint-docs.ts';
import { ModelId } from '../registry/contract/model.ts';
import { DatasetName } from '../datasets/contract/dataset.ts';

const tus = { 'tus-resumable': 'The version of the protocol: `1.0.0`.' } as const;

const chunk = {
  ...tus,
  'upload-offset': 'The byte the body starts at: what HEAD answered.',
  'upload-checksum': '`sha256` or `sha1` and the base64 of the hash of this body.',
} as const;

const BYTES_PROBLEMS = [
  'invalid_parameter',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'body_cut_off',
  'checksum_mismatch',
] as const;

const CHUNK_PROBLEMS = [...BYTES_PROBLEMS, 'upload_not_found', 'offset_mismatch'] as const;

interface Uploaded<Base extends string, Scope extends 'registry:write' | 'train'> {
  /** The resource that an upload is of. */
  readonly base: Base;
  readonly access: Scope;
  /** Description of `Upload-Metadata`. */
  readonly metadata: string;
  /** Refusals of its own: of a new upload, of one that is there, and where it ended. */
  readonly creation: readonly ProblemCode[];
  readonly missing: readonly ProblemCode[];
  readonly refused: readonly ProblemCode[];
}

/** Endpoints of an upload in progress. */
const tusChunks = <const Base extends string, Scope extends 'registry:write' | 'train'>({
  base,
  access,
  missing,
  refused,
}: Uploaded<Base, Scope>) =>
  ({
    showUpload: {
      method: 'HEAD',
      path: `/${base}/uploads/:upload`,
      summary: 'How far an upload has come: `Upload-Offset` of `Upload-Length`.',
      access,
      responses: { 200: null },
      problems: [
        'upload_not_found',
        'precondition_failed',
        // Of an upload whose last byte came just before the service was killed.
        ...refused,
        'checksum_mismatch',
        ...missing,
      ],
      headers: tus,
      needs: ['tus-resumable'],
    },
    continueUpload: {
      method: 'PATCH',
      path: `/${base}/uploads/:upload`,
      summary: 'Adds bytes to an upload; with the last one it is what it was sent for.',
      access,
      body: { media: [TUS_CHUNK] },
      maxBodyBytes: MAX_UPLOAD_BYTES,
      responses: { 204: null },
      problems: [...CHUNK_PROBLEMS, ...missing, ...refused],
      headers: chunk,
      needs: ['tus-resumable', 'upload-offset'],
    },
    overrideUpload: {
      method: 'POST',
      path: `/${base}/uploads/:upload`,
      summary:
        'A HEAD, PATCH or DELETE of callers that cannot send one: see X-HTTP-Method-Override.',
      access,
      body: { media: [TUS_CHUNK] },
      maxBodyBytes: MAX_UPLOAD_BYTES,
      responses: { 200: null, 204: null },
      problems: [...CHUNK_PROBLEMS, ...missing, ...refused, 'method_not_allowed'],
      headers: { ...chunk, 'x-http-method-override': 'The method that is meant.' },
      needs: ['tus-resumable', 'x-http-method-override'],
    },
    endUpload: {
      method: 'DELETE',
      path: `/${base}/uploads/:upload`,
      summary: 'Gives an upload up and deletes its bytes.',
      access,
      responses: { 204: null },
      problems: [...missing, 'upload_not_found', 'precondition_failed'],
      headers: tus,
      needs: ['tus-resumable'],
    },
  }) as const satisfies Endpoints;

/** tus 1.0.0 with creation, creation-with-upload, expiration, checksum and termination. */
const tusEndpoints = <const Base extends string, Scope extends 'registry:write' | 'train'>(
  words: Uploaded<Base, Scope>,
) => {
  const { base, access, metadata, creation, missing, refused } = words;
  return {
    describeUploads: options(`/${base}/uploads`, 'public', {
      summary: 'What of the tus protocol is spoken here.',
      responses: { 204: null },
    }),
    createUpload: {
      method: 'POST',
      path: `/${base}/uploads`,
      summary: 'Begins a resumable upload, with its first bytes or without.',
      access,
      body: { media: [TUS_CHUNK] },
      maxBodyBytes: MAX_UPLOAD_BYTES,
      responses: { 201: null },
      problems: [...BYTES_PROBLEMS, ...missing, ...refused, ...creation],
      headers: {
        ...tus,
        'upload-length': 'How many bytes the whole file has.',
        'upload-metadata': metadata,
        'upload-checksum': chunk['upload-checksum'],
      },
      needs: ['tus-resumable', 'upload-length', 'upload-metadata'],
    },
    ...tusChunks(words),
  } as const satisfies Endpoints;
};

/** Resumable uploads: the one that got its last byte is a file of its version. */
export const uploadEndpoints = tusEndpoints({
  base: 'models/:id',
  access: 'registry:write',
  metadata: 'Base64 of `filename` and, if known, `version` and `digest`.',
  creation: ['validation_failed', 'quota_exceeded'],
  missing: ['model_not_found'],
  refused: ['version_immutable'],
});

/** The same for data sets: the upload that got its last byte is the data set of this name. */
export const datasetUploadEndpoints = tusEndpoints({
  base: 'datasets/:name',
  access: 'train',
  metadata: 'Base64 of `filetype`, the media type, and, if known, `digest`.',
  creation: ['quota_exceeded'],
  missing: [],
  refused: ['already_exists'],
});

/** The same requests for every kind of resource that is uploaded so. */
const tusOperations = <Resource extends Readonly<Record<string, string>>>(
  resource: Resource,
  upload: { readonly upload: string },
  metadata: string,
) => {
  const version = { 'tus-resumable': '1.0.0' };
  const bytes = { 'application/offset+octet-stream': 'test' };
  return {
    describeUploads: { params: resource, answer: null },
    createUpload: {
      params: resource,
      body: bytes,
      requestHeaders: {
        ...version,
        'upload-length': '8',
        'upload-metadata': metadata,
      },
      answer: null,
      headers: { 201: ['Location', 'Tus-Resumable'] },
    },
    showUpload: {
      params: { ...resource, ...upload },
      requestHeaders: version,
      answer: null,
      headers: { 200: ['Upload-Offset', 'Upload-Length', 'Tus-Resumable'] },
    },
    continueUpload: {
      params: { ...resource, ...upload },
      body: bytes,
      requestHeaders: { ...version, 'upload-offset': '4' },
      answer: null,
      headers: { 204: ['Upload-Offset', 'Tus-Resumable'] },
    },
    overrideUpload: {
      params: { ...resource, ...upload },
      body: bytes,
      requestHeaders: { ...version, 'x-http-method-override': 'HEAD' },
      responses: { 200: null, 204: null },
    },
    endUpload: {
      params: { ...resource, ...upload },
      requestHeaders: version,
      answer: null,
      headers: { 204: ['Tus-Resumable'] },
    },
  } as const;
};

const uploadParam = () => ({
  description: 'The upload, as its Location names it.',
  schema: anyId(),
});

/** Parameters, examples and links of the table. */
export const uploadDocs = () =>
  describe(uploadEndpoints, {
    schemas: [],
    params: {
      'models/:id': { description: 'The model.', schema: ModelId },
      'uploads/:upload': uploadParam(),
    },
    operations: tusOperations(
      { id: 'tiny' },
      { upload: '01JD4XQ2T5W8Z3B6C9E0F2G4H7' },
      'filename dG9rZW5pemVyLmpzb24=,version MS4wLjA=',
    ),
  });

/** Parameters, examples and links of the table. */
export const datasetUploadDocs = () =>
  describe(datasetUploadEndpoints, {
    schemas: [],
    params: {
      'datasets/:name': { description: 'The dataset.', schema: DatasetName },
      'uploads/:upload': uploadParam(),
    },
    operations: tusOperations(
      { name: 'tides' },
      { upload: '01JD4XQ2T5W8Z3B6C9E0F2G4H8' },
      'filetype dGV4dC9wbGFpbg==',
    ),
  });
