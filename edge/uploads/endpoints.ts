import type { Endpoints } from '../contract/endpoint.ts';
import type { ProblemCode } from '../contract/problem.ts';
import { MAX_UPLOAD_BYTES } from '../registry/contract/model-file.ts';
import { TUS_CHUNK } from './contract/tus.ts';

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
  /** What `Upload-Metadata` holds. */
  readonly metadata: string;
  /** Refusals of its own: of a new upload, of one that is there, and where it ended. */
  readonly creation: readonly ProblemCode[];
  readonly missing: readonly ProblemCode[];
  readonly refused: readonly ProblemCode[];
}

/** What is asked of an upload that was begun. */
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
      answers: { 200: null },
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
      answers: { 204: null },
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
      answers: { 200: null, 204: null },
      problems: [...CHUNK_PROBLEMS, ...missing, ...refused, 'method_not_allowed'],
      headers: { ...chunk, 'x-http-method-override': 'The method that is meant.' },
      needs: ['tus-resumable', 'x-http-method-override'],
    },
    endUpload: {
      method: 'DELETE',
      path: `/${base}/uploads/:upload`,
      summary: 'Gives an upload up and deletes its bytes.',
      access,
      answers: { 204: null },
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
    describeUploads: {
      method: 'OPTIONS',
      path: `/${base}/uploads`,
      summary: 'What of the tus protocol is spoken here.',
      access: 'public',
      answers: { 204: null },
    },
    createUpload: {
      method: 'POST',
      path: `/${base}/uploads`,
      summary: 'Begins a resumable upload, with its first bytes or without.',
      access,
      body: { media: [TUS_CHUNK] },
      maxBodyBytes: MAX_UPLOAD_BYTES,
      answers: { 201: null },
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
