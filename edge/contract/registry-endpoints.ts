import * as z from 'zod/mini';
import type { Endpoints } from './endpoint.ts';
import { UploadAnswer } from './model-file.ts';
import { ModelList, ModelQuery } from './model-list.ts';
import { ModelDetails, Registration, VersionRecord } from './model.ts';
import { Version } from './semver.ts';

/** The model registry: models, their versions and files. */
export const registryEndpoints = {
  registerModel: {
    method: 'POST',
    path: '/models/register',
    summary: 'Registers a version of a model; repeating it word for word changes nothing.',
    access: 'registry:write',
    body: Registration,
    answers: { 200: VersionRecord, 201: VersionRecord },
    problems: ['version_immutable'],
  },
  listModels: {
    method: 'GET',
    path: '/models',
    summary: 'Models by their default version, the latest registered first.',
    access: 'registry:read',
    query: ModelQuery,
    lists: ['tag'],
    answers: { 200: ModelList },
  },
  getModel: {
    method: 'GET',
    path: '/models/:id',
    summary: 'One version of a model, the default one unless named, and which others there are.',
    access: 'registry:read',
    query: z.strictObject({ version: z.optional(Version) }),
    answers: { 200: ModelDetails },
    problems: ['model_not_found'],
  },
  uploadFile: {
    method: 'POST',
    path: '/models/:id/upload',
    summary: 'Adds a file to a version, whole in one request.',
    access: 'registry:write',
    body: { media: ['application/octet-stream', 'multipart/form-data'] },
    answers: { 200: UploadAnswer, 201: UploadAnswer },
    problems: [
      'model_not_found',
      'version_immutable',
      'digest_mismatch',
      'payload_too_large',
      'unsupported_media_type',
      'upload_expired',
    ],
  },
  downloadFile: {
    method: 'GET',
    path: '/models/:id/download/:filename',
    summary: 'The bytes of a file, whole or a range of them.',
    access: 'registry:read',
    query: z.strictObject({ version: z.optional(Version) }),
    answers: { 200: { media: ['*/*'] }, 206: { media: ['*/*'] }, 304: null },
    problems: ['model_not_found', 'file_not_found', 'precondition_failed', 'range_not_satisfiable'],
    headers: {
      range: 'The bytes asked for, such as `bytes=0-1023`.',
      'if-none-match': 'The ETag of a copy at hand; unchanged bytes answer 304.',
      'if-match': 'The ETag the file must have.',
      'if-range': 'The ETag for which the range holds; other bytes are sent whole.',
    },
  },
} as const satisfies Endpoints;
