import type { AliasRecord } from './contract/alias.ts';
import type { Lineage } from './contract/lineage.ts';
import type { FileRecord, UploadAnswer } from './contract/model-file.ts';
import type { DeletionAnswer, VersionRecord } from './contract/model.ts';
import type { registryEndpoints } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

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

export const registryExamples: ExamplesOf<typeof registryEndpoints> = {
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
    answers: { 200: registered, 201: registered },
    headers: { 200: ['Location'], 201: ['Location'] },
  },
  listModels: {
    query: { framework: 'spikegrid', tag: ['stage:trial'], limit: '20' },
    answers: { 200: { models: [record], total: 1, has_more: false, next_cursor: null } },
  },
  getModel: {
    params: model,
    query: { version: record.version },
    answers: { 200: { ...record, versions: [summary] } },
  },
  deleteModel: { params: model, query: { force: 'true' }, answers: { 200: deleted } },
  getVersion: { params: version, answers: { 200: record, 304: null } },
  changeVersion: {
    params: version,
    body: { description: 'The first that talks.', tags: { stage: 'release' } },
    answers: { 200: { ...record, description: 'The first that talks.' } },
  },
  deleteVersion: { params: version, query: { force: 'true' }, answers: { 200: deleted } },
  getAlias: { params: { ...model, alias: alias.alias }, answers: { 200: alias } },
  setAlias: {
    params: { ...model, alias: alias.alias },
    body: { version: record.version },
    answers: { 200: alias, 201: alias },
  },
  deleteAlias: { params: { ...model, alias: alias.alias }, answers: { 204: null } },
  getLineage: {
    params: model,
    query: { version: record.version, direction: 'both', depth: '5' },
    answers: { 200: lineage },
  },
  checkCompatibility: {
    params: model,
    query: { version: record.version },
    body: { tokenizer_digest: DIGEST },
    answers: {
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
    answers: { 200: uploaded, 201: uploaded },
    headers: { 200: ['Location'], 201: ['Location'] },
  },
  downloadFile: {
    params: { ...model, filename: file.filename },
    query: { version: record.version },
    answers: { 200: { '*/*': 'test' }, 206: { '*/*': 'te' }, 304: null },
    headers: {
      200: ['ETag', 'Repr-Digest', 'Accept-Ranges', 'Content-Location'],
      206: ['ETag', 'Repr-Digest', 'Accept-Ranges', 'Content-Location', 'Content-Range'],
      304: ['ETag'],
    },
  },
};
