import type { Endpoints } from '../contract/endpoint.ts';
import * as datasetSchemas from './contract/dataset.ts';
import {
  DatasetCommit,
  DatasetList,
  DatasetName,
  DatasetRecord,
  PartAnswer,
  PartsMissing,
  PartsQuestion,
} from './contract/dataset.ts';
import { MAX_PART_BYTES } from '../training/contract/checkpoint.ts';
import { describe, fromPath } from '../contract/endpoint-docs.ts';
import { Digest } from '../contract/digest.ts';
import { exampleRecords } from '../training/contract/example-records.ts';

/** Datasets of the platform, and the parts that they, checkpoints and deltas are made of. */
export const datasetEndpoints = {
  missingParts: {
    method: 'POST',
    path: '/parts/missing',
    summary: 'Which parts have to be sent; the others are there.',
    access: 'train',
    body: PartsQuestion,
    responses: { 200: PartsMissing },
  },
  putPart: {
    method: 'PUT',
    path: '/parts/:digest',
    summary: 'Stores at most 32 MiB under their digest, hashed while they arrive.',
    access: 'train',
    body: { media: ['application/octet-stream'] },
    maxBodyBytes: MAX_PART_BYTES,
    responses: { 200: PartAnswer, 201: PartAnswer },
    problems: [
      'invalid_parameter',
      'digest_mismatch',
      'payload_too_large',
      'unsupported_media_type',
      'body_cut_off',
      'upload_expired',
      'quota_exceeded',
    ],
  },
  getPart: {
    method: 'GET',
    path: '/parts/:digest',
    summary: 'The bytes of a part.',
    access: 'train',
    responses: { 200: { media: ['application/octet-stream'] } },
    problems: ['invalid_parameter', 'part_not_found'],
  },
  putDataset: {
    method: 'PUT',
    path: '/datasets/:name',
    summary: 'Makes parts that were sent a dataset, after its digest was found right.',
    access: 'train',
    body: DatasetCommit,
    responses: { 200: DatasetRecord, 201: DatasetRecord },
    problems: [
      'invalid_parameter',
      'already_exists',
      'part_not_found',
      'digest_mismatch',
      'quota_exceeded',
    ],
  },
  listDatasets: {
    method: 'GET',
    path: '/datasets',
    summary: 'The datasets that trainers can fetch.',
    access: 'train',
    responses: { 200: DatasetList },
  },
  getDataset: {
    method: 'GET',
    path: '/datasets/:name',
    summary: 'One dataset.',
    access: 'train',
    responses: { 200: DatasetRecord },
    problems: ['dataset_not_found'],
  },
  deleteDataset: {
    method: 'DELETE',
    path: '/datasets/:name',
    summary: 'Deletes a dataset that no job under way names.',
    access: 'train',
    responses: { 204: null },
    problems: ['dataset_not_found', 'dataset_in_use'],
  },
  downloadDataset: {
    method: 'GET',
    path: '/datasets/:name/content',
    summary: 'The bytes of a dataset, whole or a range of them.',
    access: 'train',
    responses: { 200: { media: ['*/*'] }, 206: { media: ['*/*'] }, 304: null },
    problems: ['dataset_not_found', 'range_not_satisfiable', 'precondition_failed'],
    headers: {
      range: 'The bytes asked for, such as `bytes=0-1023`.',
      'if-none-match': 'The ETag of a copy at hand; unchanged bytes answer 304.',
    },
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const datasetDocs = () => {
  const { digest, part } = exampleRecords();
  const params = { name: 'moby-dick' };

  const dataset = {
    name: 'moby-dick',
    digest,
    size_bytes: 4096,
    content_type: 'text/plain; charset=utf-8',
    created_by: 'local',
    owner: 'local',
    team: 'default',
    created_at: '2026-11-20T09:30:00Z',
  };

  return describe(datasetEndpoints, {
    schemas: [datasetSchemas],
    params: {
      'parts/:digest': { description: 'The digest of the part.', schema: Digest },
      'datasets/:name': { description: 'The dataset.', schema: DatasetName },
    },
    operations: {
      missingParts: { body: { digests: [digest] }, responses: { 200: { missing: [digest] } } },
      putPart: {
        params: { digest },
        body: { 'application/octet-stream': 'Call me Ishmael.' },
        responses: { 200: part, 201: part },
        links: {
          200: { getPart: { digest: fromPath('digest') } },
          201: { getPart: { digest: fromPath('digest') } },
        },
      },
      getPart: {
        params: { digest },
        responses: { 200: { 'application/octet-stream': 'Call me Ishmael.' } },
      },
      putDataset: {
        params,
        body: { digest, size_bytes: 4096, content_type: dataset.content_type, parts: [part] },
        responses: { 200: dataset, 201: dataset },
        links: {
          200: {
            getDataset: { name: fromPath('name') },
            downloadDataset: { name: fromPath('name') },
            deleteDataset: { name: fromPath('name') },
          },
          201: {
            getDataset: { name: fromPath('name') },
            downloadDataset: { name: fromPath('name') },
            deleteDataset: { name: fromPath('name') },
          },
        },
      },
      listDatasets: { responses: { 200: { datasets: [dataset], total: 1 } } },
      getDataset: { params, responses: { 200: dataset } },
      deleteDataset: { params, responses: { 204: null } },
      downloadDataset: {
        params,
        responses: {
          200: { '*/*': 'Call me Ishmael.' },
          206: { '*/*': 'Call me' },
          304: null,
        },
        requestHeaders: { range: 'bytes=0-6' },
      },
    },
  });
};
