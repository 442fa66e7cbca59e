import * as z from 'zod/mini';
import * as aliaSchemas from './contract/alias.ts';
import { Alias, AliasRecord, AliasTarget } from './contract/alias.ts';
import * as compatibilitySchemas from './contract/compatibility.ts';
import { Compatibility, CompatibilityRequest } from './contract/compatibility.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import * as lineageSchemas from './contract/lineage.ts';
import { Lineage, LineageQuery } from './contract/lineage.ts';
import * as modelFileSchemas from './contract/model-file.ts';
import {
  Filename,
  type FileRecord,
  FORM_OVERHEAD_BYTES,
  MAX_UPLOAD_BYTES,
  UploadAnswer,
  UploadClaim,
} from './contract/model-file.ts';
import * as modelListSchemas from './contract/model-list.ts';
import { ModelList, ModelQuery } from './contract/model-list.ts';
import * as modelSchemas from './contract/model.ts';
import {
  DeletionAnswer,
  DeletionQuery,
  ModelDetails,
  ModelId,
  Registration,
  VersionChoice,
  VersionPatch,
  VersionRecord,
} from './contract/model.ts';
import { describe, fromBody, fromPath } from '../contract/endpoint-docs.ts';
import { Version } from '../contract/semver.ts';

const ifMatch = 'The `etag` it must have; it is refused where it has changed since.';

/** The model registry: models, their versions and files. */
export const registryEndpoints = {
  registerModel: {
    method: 'POST',
    path: '/models/register',
    summary: 'Registers a version of a model; repeating it word for word changes nothing.',
    access: 'registry:write',
    body: Registration,
    responses: { 200: VersionRecord, 201: VersionRecord },
    problems: ['version_immutable', 'already_exists', 'quota_exceeded'],
  },
  listModels: {
    method: 'GET',
    path: '/models',
    summary: 'Models by their default version, the latest registered first.',
    access: 'registry:read',
    query: ModelQuery,
    lists: ['tag'],
    responses: { 200: ModelList },
  },
  getModel: {
    method: 'GET',
    path: '/models/:id',
    summary: 'One version of a model, the default one unless named, and which others there are.',
    access: 'registry:read',
    query: VersionChoice,
    responses: { 200: ModelDetails },
    problems: ['model_not_found', 'alias_not_found'],
  },
  deleteModel: {
    method: 'DELETE',
    path: '/models/:id',
    summary: 'Deletes a model with all its versions and files, unless an alias of it exists.',
    access: 'registry:write',
    query: DeletionQuery,
    responses: { 200: DeletionAnswer },
    problems: ['model_not_found', 'version_in_use'],
  },
  getVersion: {
    method: 'GET',
    path: '/models/:id/versions/:version',
    summary: 'One version of a model, with its ETag.',
    access: 'registry:read',
    responses: { 200: VersionRecord, 304: null },
    problems: ['model_not_found', 'precondition_failed'],
    headers: { 'if-none-match': 'The ETag of a copy at hand; an unchanged version answers 304.' },
  },
  changeVersion: {
    method: 'PATCH',
    path: '/models/:id/versions/:version',
    summary: 'Changes the description or the tags of a version, by a merge patch.',
    access: 'registry:write',
    body: VersionPatch,
    responses: { 200: VersionRecord },
    problems: ['model_not_found', 'precondition_failed'],
    headers: { 'if-match': ifMatch },
  },
  deleteVersion: {
    method: 'DELETE',
    path: '/models/:id/versions/:version',
    summary: 'Deletes a version with its files; by force even the last one, or one with an alias.',
    access: 'registry:write',
    query: DeletionQuery,
    responses: { 200: DeletionAnswer },
    problems: ['model_not_found', 'version_in_use', 'precondition_failed'],
    headers: { 'if-match': ifMatch },
  },
  getAlias: {
    method: 'GET',
    path: '/models/:id/aliases/:alias',
    summary: 'The version an alias points to.',
    access: 'registry:read',
    responses: { 200: AliasRecord },
    problems: ['model_not_found', 'alias_not_found'],
  },
  setAlias: {
    method: 'PUT',
    path: '/models/:id/aliases/:alias',
    summary: 'Points an alias to a version: a new alias (201), or one that is moved (200).',
    access: 'registry:write',
    body: AliasTarget,
    responses: { 200: AliasRecord, 201: AliasRecord },
    problems: ['model_not_found', 'precondition_failed'],
    headers: { 'if-match': ifMatch, 'if-none-match': '`*` refuses to move an alias that exists.' },
  },
  deleteAlias: {
    method: 'DELETE',
    path: '/models/:id/aliases/:alias',
    summary: 'Takes an alias away; the version stays.',
    access: 'registry:write',
    responses: { 204: null },
    problems: ['model_not_found', 'alias_not_found', 'precondition_failed'],
    headers: { 'if-match': ifMatch },
  },
  getLineage: {
    method: 'GET',
    path: '/models/:id/lineage',
    summary: 'What a version was made from and what was made from it, as a graph.',
    access: 'registry:read',
    query: LineageQuery,
    responses: { 200: Lineage },
    problems: ['model_not_found', 'alias_not_found'],
  },
  checkCompatibility: {
    method: 'POST',
    path: '/models/:id/compatibility',
    summary: 'Whether training may go on from a version, and where it differs.',
    access: 'registry:read',
    query: VersionChoice,
    body: CompatibilityRequest,
    responses: { 200: Compatibility },
    problems: ['model_not_found', 'alias_not_found'],
  },
  uploadFile: {
    method: 'POST',
    path: '/models/:id/upload',
    summary: 'Adds a file to a version, whole in one request.',
    access: 'registry:write',
    query: z.partial(UploadClaim),
    body: { media: ['application/octet-stream', 'multipart/form-data'] },
    maxBodyBytes: MAX_UPLOAD_BYTES + FORM_OVERHEAD_BYTES,
    responses: { 200: UploadAnswer, 201: UploadAnswer },
    problems: [
      'model_not_found',
      'validation_failed',
      'version_immutable',
      'digest_mismatch',
      'payload_too_large',
      'unsupported_media_type',
      'upload_expired',
      'quota_exceeded',
    ],
  },
  downloadFile: {
    method: 'GET',
    path: '/models/:id/download/:filename',
    summary: 'The bytes of a file, whole or a range of them.',
    access: 'registry:read',
    query: VersionChoice,
    responses: { 200: { media: ['*/*'] }, 206: { media: ['*/*'] }, 304: null },
    problems: [
      'model_not_found',
      'alias_not_found',
      'file_not_found',
      'precondition_failed',
      'range_not_satisfiable',
    ],
    headers: {
      range: 'The bytes asked for, such as `bytes=0-1023`.',
      'if-none-match': 'The ETag of a copy at hand; unchanged bytes answer 304.',
      'if-match': 'The ETag the file must have.',
      'if-range': 'The ETag for which the range holds; other bytes are sent whole.',
    },
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const registryDocs = () => {
  const DIGEST = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

  const file: FileRecord = {
    filename: 'model.safetensors',
    size_bytes: 4,
    digest: DIGEST,
    content_type: 'application/octet-stream',
    created_at: '2026-11-20T10:05:00Z',
  };

  const registered: VersionRecord = {
    model_id: 'tiny',
    name: 'Tiny',
    version: '1.0.0',
    model_type: 'language',
    framework: 'spikegrid',
    created_by: 'local',
    owner: 'local',
    team: 'default',
    created_at: '2026-11-20T10:00:00Z',
    updated_at: '2026-11-20T10:00:00Z',
    status: 'READY',
    status_message: '',
    aliases: [],
    tags: { stage: 'trial' },
    description: '',
    architecture: 'dense-chronospike',
    model_spec: null,
    model_spec_digest: null,
    tokenizer_digest: null,
    dataset_digest: null,
    job_id: null,
    parent_model_id: null,
    parent_version: null,
    files: [],
    total_size_bytes: 0,
    manifest_digest: null,
    etag: '"1"',
  };

  const record: VersionRecord = {
    ...registered,
    updated_at: '2026-11-20T10:05:00Z',
    files: [file],
    total_size_bytes: file.size_bytes,
  };

  const uploaded: UploadAnswer = {
    model_id: record.model_id,
    version: record.version,
    filename: file.filename,
    size_bytes: file.size_bytes,
    digest: file.digest,
    etag: `"${file.digest}"`,
  };

  /** The parts of the form, as a client of forms sends them. */
  const FORM = { version: record.version, file: 'test' };

  const summary = {
    version: record.version,
    status: record.status,
    created_at: record.created_at,
    updated_at: record.updated_at,
    aliases: record.aliases,
    total_size_bytes: record.total_size_bytes,
  };

  const alias: AliasRecord = {
    model_id: record.model_id,
    alias: 'production',
    version: record.version,
    owner: 'local',
    team: 'default',
    updated_at: '2026-11-20T11:00:00Z',
    etag: '"1.0.0"',
  };

  const deleted: DeletionAnswer = {
    status: 'deleted',
    model_id: record.model_id,
    versions: [record.version],
    aliases: [],
    deleted_files: 1,
    freed_bytes: file.size_bytes,
  };

  const lineage: Lineage = {
    model_id: record.model_id,
    version: record.version,
    root: 'version:tiny@1.0.0',
    depth: 5,
    truncated: false,
    nodes: [
      {
        id: 'version:tiny@1.0.0',
        kind: 'version',
        label: 'tiny 1.0.0',
        state: 'present',
        model_id: record.model_id,
        version: record.version,
        digest: null,
        job_id: null,
        generation: 0,
      },
      {
        id: `dataset:${DIGEST}`,
        kind: 'dataset',
        label: DIGEST.slice(7, 19),
        state: 'unknown',
        model_id: null,
        version: null,
        digest: DIGEST,
        job_id: null,
        generation: -1,
      },
    ],
    edges: [
      {
        id: 'version:tiny@1.0.0 trained_on',
        source: 'version:tiny@1.0.0',
        target: `dataset:${DIGEST}`,
        relation: 'trained_on',
      },
    ],
  };

  const model = { id: record.model_id };
  const version = { ...model, version: record.version };

  return describe(registryEndpoints, {
    schemas: [
      aliaSchemas,
      compatibilitySchemas,
      lineageSchemas,
      modelSchemas,
      modelFileSchemas,
      modelListSchemas,
    ],
    params: {
      'models/:id': { description: 'The model.', schema: ModelId },
      'versions/:version': { description: 'The version.', schema: Version },
      'aliases/:alias': { description: 'The alias.', schema: Alias },
      'download/:filename': { description: 'A file of the version.', schema: Filename },
    },
    operations: {
      registerModel: {
        body: {
          model_id: 'tiny',
          name: 'Tiny',
          version: '1.0.0',
          model_type: 'language',
          framework: 'spikegrid',
          architecture: 'dense-chronospike',
          tags: { stage: 'trial' },
        },
        responses: { 200: registered, 201: registered },
        headers: { 200: ['Location'], 201: ['Location'] },
        links: {
          200: {
            getModel: { id: fromBody('model_id') },
            getVersion: { id: fromBody('model_id'), version: fromBody('version') },
            changeVersion: { id: fromBody('model_id'), version: fromBody('version') },
            deleteVersion: { id: fromBody('model_id'), version: fromBody('version') },
            uploadFile: { id: fromBody('model_id'), version: fromBody('version') },
            createUpload: { id: fromBody('model_id') },
            getLineage: { id: fromBody('model_id'), version: fromBody('version') },
            checkCompatibility: { id: fromBody('model_id'), version: fromBody('version') },
          },
          201: {
            getModel: { id: fromBody('model_id') },
            getVersion: { id: fromBody('model_id'), version: fromBody('version') },
            changeVersion: { id: fromBody('model_id'), version: fromBody('version') },
            deleteVersion: { id: fromBody('model_id'), version: fromBody('version') },
            uploadFile: { id: fromBody('model_id'), version: fromBody('version') },
            createUpload: { id: fromBody('model_id') },
            getLineage: { id: fromBody('model_id'), version: fromBody('version') },
            checkCompatibility: { id: fromBody('model_id'), version: fromBody('version') },
          },
        },
      },
      listModels: {
        query: { framework: 'spikegrid', tag: ['stage:trial'], limit: '20' },
        responses: { 200: { models: [record], total: 1, has_more: false, next_cursor: null } },
      },
      getModel: {
        params: model,
        query: { version: record.version },
        responses: { 200: { ...record, versions: [summary] } },
      },
      deleteModel: { params: model, query: { force: 'true' }, responses: { 200: deleted } },
      getVersion: { params: version, responses: { 200: record, 304: null } },
      changeVersion: {
        params: version,
        body: { description: 'The first that talks.', tags: { stage: 'release' } },
        responses: { 200: { ...record, description: 'The first that talks.' } },
      },
      deleteVersion: { params: version, query: { force: 'true' }, responses: { 200: deleted } },
      getAlias: { params: { ...model, alias: alias.alias }, responses: { 200: alias } },
      setAlias: {
        params: { ...model, alias: alias.alias },
        body: { version: record.version },
        responses: { 200: alias, 201: alias },
        links: {
          200: {
            getAlias: { id: fromPath('id'), alias: fromPath('alias') },
            getModel: { id: fromPath('id'), alias: fromPath('alias') },
            deleteAlias: { id: fromPath('id'), alias: fromPath('alias') },
          },
          201: {
            getAlias: { id: fromPath('id'), alias: fromPath('alias') },
            getModel: { id: fromPath('id'), alias: fromPath('alias') },
            deleteAlias: { id: fromPath('id'), alias: fromPath('alias') },
          },
        },
      },
      deleteAlias: { params: { ...model, alias: alias.alias }, responses: { 204: null } },
      getLineage: {
        params: model,
        query: { version: record.version, direction: 'both', depth: '5' },
        responses: { 200: lineage },
      },
      checkCompatibility: {
        params: model,
        query: { version: record.version },
        body: { tokenizer_digest: DIGEST },
        responses: {
          200: {
            model_id: record.model_id,
            version: record.version,
            compatible: false,
            checked: ['tokenizer'],
            mismatches: [
              { aspect: 'tokenizer', field: '/tokenizer_digest', expected: null, actual: DIGEST },
            ],
          },
        },
      },
      uploadFile: {
        params: model,
        query: { filename: file.filename, version: record.version },
        body: { 'application/octet-stream': 'test', 'multipart/form-data': FORM },
        responses: { 200: uploaded, 201: uploaded },
        headers: { 200: ['Location'], 201: ['Location'] },
        links: {
          200: {
            downloadFile: {
              id: fromBody('model_id'),
              version: fromBody('version'),
              filename: fromBody('filename'),
            },
          },
          201: {
            downloadFile: {
              id: fromBody('model_id'),
              version: fromBody('version'),
              filename: fromBody('filename'),
            },
          },
        },
      },
      downloadFile: {
        params: { ...model, filename: file.filename },
        query: { version: record.version },
        responses: { 200: { '*/*': 'test' }, 206: { '*/*': 'te' }, 304: null },
        headers: {
          200: ['ETag', 'Repr-Digest', 'Accept-Ranges', 'Content-Location'],
          206: ['ETag', 'Repr-Digest', 'Accept-Ranges', 'Content-Location', 'Content-Range'],
          304: ['ETag'],
        },
      },
    },
  });
};
