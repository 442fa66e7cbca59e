import * as z from 'zod/mini';
import * as aliasSchemas from './contract/alias.ts';
import * as compatibilitySchemas from './contract/compatibility.ts';
import { Compatibility, CompatibilityRequest } from './contract/compatibility.ts';
import { type Endpoints, post, get, del, patch, put } from '../contract/endpoint.ts';
import * as lineageSchemas from './contract/lineage.ts';
import { Lineage, LineageQuery } from './contract/lineage.ts';
import * as modelFileSchemas from './contract/model-file.ts';
import * as modelListSchemas from './contract/model-list.ts';
import { ModelList, ModelQuery } from './contract/model-list.ts';
import * as modelSchemas from './contract/model.ts';
import { describe, fromBody, fromPath, linksTo } from '../contract/endpoint-docs.ts';
import { Version } from '../contract/semver.ts';

const ifMatch = 'The `etag` it must have; it is refused where it has changed since.';

/** The model registry: models, their versions and files. */
export const registryEndpoints = {
  registerModel: post('/models/register', 'registry:write', {
    summary: 'Registers a version of a model; repeating it word for word changes nothing.',
    body: modelSchemas.Registration,
    responses: { 200: modelSchemas.VersionRecord, 201: modelSchemas.VersionRecord },
    problems: ['version_immutable', 'already_exists', 'quota_exceeded'],
  }),
  listModels: get('/models', 'registry:read', {
    summary: 'Models by their default version, the latest registered first.',
    query: ModelQuery,
    lists: ['tag'],
    responses: { 200: ModelList },
  }),
  getModel: get('/models/:id', 'registry:read', {
    summary: 'One version of a model, the default one unless named, and which others there are.',
    query: modelSchemas.VersionChoice,
    responses: { 200: modelSchemas.ModelDetails },
    problems: ['model_not_found', 'alias_not_found'],
  }),
  deleteModel: del('/models/:id', 'registry:write', {
    summary: 'Deletes a model with all its versions and files, unless an alias of it exists.',
    query: modelSchemas.DeletionQuery,
    responses: { 200: modelSchemas.DeletionAnswer },
    problems: ['model_not_found', 'version_in_use'],
  }),
  getVersion: get('/models/:id/versions/:version', 'registry:read', {
    summary: 'One version of a model, with its ETag.',
    responses: { 200: modelSchemas.VersionRecord, 304: null },
    problems: ['model_not_found', 'precondition_failed'],
    headers: { 'if-none-match': 'The ETag of a copy at hand; an unchanged version answers 304.' },
  }),
  changeVersion: patch('/models/:id/versions/:version', 'registry:write', {
    summary: 'Changes the description or the tags of a version, by a merge patch.',
    body: modelSchemas.VersionPatch,
    responses: { 200: modelSchemas.VersionRecord },
    problems: ['model_not_found', 'precondition_failed'],
    headers: { 'if-match': ifMatch },
  }),
  deleteVersion: del('/models/:id/versions/:version', 'registry:write', {
    summary: 'Deletes a version with its files; by force even the last one, or one with an alias.',
    query: modelSchemas.DeletionQuery,
    responses: { 200: modelSchemas.DeletionAnswer },
    problems: ['model_not_found', 'version_in_use', 'precondition_failed'],
    headers: { 'if-match': ifMatch },
  }),
  getAlias: get('/models/:id/aliases/:alias', 'registry:read', {
    summary: 'The version an alias points to.',
    responses: { 200: aliasSchemas.AliasRecord },
    problems: ['model_not_found', 'alias_not_found'],
  }),
  setAlias: put('/models/:id/aliases/:alias', 'registry:write', {
    summary: 'Points an alias to a version: a new alias (201), or one that is moved (200).',
    body: aliasSchemas.AliasTarget,
    responses: { 200: aliasSchemas.AliasRecord, 201: aliasSchemas.AliasRecord },
    problems: ['model_not_found', 'precondition_failed'],
    headers: { 'if-match': ifMatch, 'if-none-match': '`*` refuses to move an alias that exists.' },
  }),
  deleteAlias: del('/models/:id/aliases/:alias', 'registry:write', {
    summary: 'Takes an alias away; the version stays.',
    responses: { 204: null },
    problems: ['model_not_found', 'alias_not_found', 'precondition_failed'],
    headers: { 'if-match': ifMatch },
  }),
  getLineage: get('/models/:id/lineage', 'registry:read', {
    summary: 'What a version was made from and what was made from it, as a graph.',
    query: LineageQuery,
    responses: { 200: Lineage },
    problems: ['model_not_found', 'alias_not_found'],
  }),
  checkCompatibility: post('/models/:id/compatibility', 'registry:read', {
    summary: 'Whether training may go on from a version, and where it differs.',
    query: modelSchemas.VersionChoice,
    body: CompatibilityRequest,
    responses: { 200: Compatibility },
    problems: ['model_not_found', 'alias_not_found'],
  }),
  uploadFile: post('/models/:id/upload', 'registry:write', {
    summary: 'Adds a file to a version, whole in one request.',
    query: z.partial(modelFileSchemas.UploadClaim),
    body: { media: ['application/octet-stream', 'multipart/form-data'] },
    maxBodyBytes: modelFileSchemas.MAX_UPLOAD_BYTES + modelFileSchemas.FORM_OVERHEAD_BYTES,
    responses: { 200: modelFileSchemas.UploadAnswer, 201: modelFileSchemas.UploadAnswer },
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
  }),
  downloadFile: get('/models/:id/download/:filename', 'registry:read', {
    summary: 'The bytes of a file, whole or a range of them.',
    query: modelSchemas.VersionChoice,
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
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const registryDocs = () => {
  const DIGEST = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

  const file: modelFileSchemas.FileRecord = {
    filename: 'model.safetensors',
    size_bytes: 4,
    digest: DIGEST,
    content_type: 'application/octet-stream',
    created_at: '2026-11-20T10:05:00Z',
  };

  const registered: modelSchemas.VersionRecord = {
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

  const record: modelSchemas.VersionRecord = {
    ...registered,
    updated_at: '2026-11-20T10:05:00Z',
    files: [file],
    total_size_bytes: file.size_bytes,
  };

  const { model_id, version, status, created_at, updated_at, aliases, total_size_bytes } = record;
  const summary = { version, status, created_at, updated_at, aliases, total_size_bytes };

  const { filename, size_bytes } = file;
  const uploaded = { model_id, version, filename, size_bytes, digest: DIGEST, etag: `"${DIGEST}"` };

  const alias: aliasSchemas.AliasRecord = {
    model_id,
    alias: 'production',
    version,
    owner: 'local',
    team: 'default',
    updated_at: '2026-11-20T11:00:00Z',
    etag: '"1.0.0"',
  };

  const deleted: modelSchemas.DeletionAnswer = {
    status: 'deleted',
    model_id,
    versions: [version],
    aliases: [],
    deleted_files: 1,
    freed_bytes: size_bytes,
  };

  const lineage: lineageSchemas.Lineage = {
    model_id,
    version,
    root: 'version:tiny@1.0.0',
    depth: 5,
    truncated: false,
    nodes: [
      {
        id: 'version:tiny@1.0.0',
        kind: 'version',
        label: 'tiny 1.0.0',
        state: 'present',
        model_id,
        version,
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

  const model = { id: model_id };
  const versionPath = { ...model, version };
  const aliasPath = { ...model, alias: alias.alias };

  const ofModel = { id: fromBody('model_id') };
  const ofVersion = { ...ofModel, version: fromBody('version') };
  const versionLinks = {
    getModel: ofModel,
    ...linksTo(ofVersion, 'getVersion', 'changeVersion', 'deleteVersion', 'uploadFile'),
    createUpload: ofModel,
    ...linksTo(ofVersion, 'getLineage', 'checkCompatibility'),
  };
  const ofAlias = { id: fromPath('id'), alias: fromPath('alias') };
  const aliasLinks = linksTo(ofAlias, 'getAlias', 'getModel', 'deleteAlias');
  const fileLinks = { downloadFile: { ...ofVersion, filename: fromBody('filename') } };

  return describe(registryEndpoints, {
    schemas: [
      aliasSchemas,
      compatibilitySchemas,
      lineageSchemas,
      modelSchemas,
      modelFileSchemas,
      modelListSchemas,
    ],
    params: {
      'models/:id': { description: 'The model.', schema: modelSchemas.ModelId },
      'versions/:version': { description: 'The version.', schema: Version },
      'aliases/:alias': { description: 'The alias.', schema: aliasSchemas.Alias },
      'download/:filename': {
        description: 'A file of the version.',
        schema: modelFileSchemas.Filename,
      },
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
        links: { 200: versionLinks, 201: versionLinks },
      },
      listModels: {
        query: { framework: 'spikegrid', tag: ['stage:trial'], limit: '20' },
        answer: { models: [record], total: 1, has_more: false, next_cursor: null },
      },
      getModel: {
        params: model,
        query: { version },
        answer: { ...record, versions: [summary] },
      },
      deleteModel: { params: model, query: { force: 'true' }, answer: deleted },
      getVersion: { params: versionPath, responses: { 200: record, 304: null } },
      changeVersion: {
        params: versionPath,
        body: { description: 'The first that talks.', tags: { stage: 'release' } },
        answer: { ...record, description: 'The first that talks.' },
      },
      deleteVersion: { params: versionPath, query: { force: 'true' }, answer: deleted },
      getAlias: { params: aliasPath, answer: alias },
      setAlias: {
        params: aliasPath,
        body: { version },
        responses: { 200: alias, 201: alias },
        links: { 200: aliasLinks, 201: aliasLinks },
      },
      deleteAlias: { params: aliasPath, answer: null },
      getLineage: {
        params: model,
        query: { version, direction: 'both', depth: '5' },
        answer: lineage,
      },
      checkCompatibility: {
        params: model,
        query: { version },
        body: { tokenizer_digest: DIGEST },
        answer: {
          model_id,
          version,
          compatible: false,
          checked: ['tokenizer'],
          mismatches: [
            { aspect: 'tokenizer', field: '/tokenizer_digest', expected: null, actual: DIGEST },
          ],
        },
      },
      uploadFile: {
        params: model,
        query: { filename, version },
        body: {
          'application/octet-stream': 'test',
          'multipart/form-data': { version, file: 'test' },
        },
        responses: { 200: uploaded, 201: uploaded },
        headers: { 200: ['Location'], 201: ['Location'] },
        links: { 200: fileLinks, 201: fileLinks },
      },
      downloadFile: {
        params: { ...model, filename },
        query: { version },
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
