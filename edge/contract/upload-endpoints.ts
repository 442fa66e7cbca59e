import type { Endpoints } from './endpoint.ts';
import { MAX_UPLOAD_BYTES } from './model-file.ts';
import { TUS_CHUNK } from './tus.ts';

const tus = { 'tus-resumable': 'The version of the protocol: `1.0.0`.' } as const;

const chunk = {
  ...tus,
  'upload-offset': 'The byte the body starts at: what HEAD answered.',
  'upload-checksum': '`sha256` or `sha1` and the base64 of the hash of this body.',
} as const;

const BYTES_PROBLEMS = [
  'invalid_parameter',
  'validation_failed',
  'model_not_found',
  'version_immutable',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'body_cut_off',
  'checksum_mismatch',
] as const;

const CHUNK_PROBLEMS = [...BYTES_PROBLEMS, 'upload_not_found', 'offset_mismatch'] as const;

/**
 * Resumable uploads: tus 1.0.0 with creation, creation-with-upload, expiration, checksum and
 * termination. The upload that got its last byte is a file of its version.
 */
export const uploadEndpoints = {
  describeUploads: {
    method: 'OPTIONS',
    path: '/models/:id/uploads',
    summary: 'What of the tus protocol is spoken here.',
    access: 'public',
    answers: { 204: null },
  },
  createUpload: {
    method: 'POST',
    path: '/models/:id/uploads',
    summary: 'Begins a resumable upload, with its first bytes or without.',
    access: 'registry:write',
    body: { media: [TUS_CHUNK] },
    maxBodyBytes: MAX_UPLOAD_BYTES,
    answers: { 201: null },
    problems: BYTES_PROBLEMS,
    headers: {
      ...tus,
      'upload-length': 'How many bytes the whole file has.',
      'upload-metadata': 'Base64 of `filename` and, if known, `version` and `digest`.',
      'upload-checksum': chunk['upload-checksum'],
    },
  },
  showUpload: {
    method: 'HEAD',
    path: '/models/:id/uploads/:upload',
    summary: 'How far an upload has come: `Upload-Offset` of `Upload-Length`.',
    access: 'registry:write',
    answers: { 200: null },
    problems: [
      'model_not_found',
      'upload_not_found',
      'precondition_failed',
      // Of an upload whose last byte came just before the registry was killed.
      'version_immutable',
      'checksum_mismatch',
    ],
    headers: tus,
  },
  continueUpload: {
    method: 'PATCH',
    path: '/models/:id/uploads/:upload',
    summary: 'Adds bytes to an upload; with the last one its file appears.',
    access: 'registry:write',
    body: { media: [TUS_CHUNK] },
    maxBodyBytes: MAX_UPLOAD_BYTES,
    answers: { 204: null },
    problems: CHUNK_PROBLEMS,
    headers: chunk,
  },
  overrideUpload: {
    method: 'POST',
    path: '/models/:id/uploads/:upload',
    summary: 'A HEAD, PATCH or DELETE of callers that cannot send one: see X-HTTP-Method-Override.',
    access: 'registry:write',
    body: { media: [TUS_CHUNK] },
    maxBodyBytes: MAX_UPLOAD_BYTES,
    answers: { 200: null, 204: null },
    problems: [...CHUNK_PROBLEMS, 'method_not_allowed'],
    headers: { ...chunk, 'x-http-method-override': 'The method that is meant.' },
  },
  endUpload: {
    method: 'DELETE',
    path: '/models/:id/uploads/:upload',
    summary: 'Gives an upload up and deletes its bytes.',
    access: 'registry:write',
    answers: { 204: null },
    problems: ['model_not_found', 'upload_not_found', 'precondition_failed'],
    headers: tus,
  },
} as const satisfies Endpoints;
