import { type Endpoints, post, put, get, del } from '../contract/endpoint.ts';
import * as datasetSchemas from './contract/dataset.ts';
import { MAX_PART_BYTES } from '../training/contract/checkpoint.ts';
import { describe, fromPath } from '../contract/endpoint-docs.ts';
import { Digest } from '../contract/digest.ts';
import { exampleRecords } from '../training/contract/example-records.ts';

/** Datasets of the platform, and the parts that they, checkpoints and deltas are made of. */
export const datasetEndpoints = {
  missingParts: post('/parts/missing', 'train', {
    summary: 'Which parts have to be sent; the others are there.',
    body: datasetSchemas.PartsQuestion,
    responses: { 200: datasetSchemas.PartsMissing },
  }),
  putPart: put('/parts/:digest', 'train', {
    summary: 'Stores at most 32 MiB under their digest, hashed while they arrive.',
    body: { media: ['application/octet-stream'] },
    maxBodyBytes: MAX_PART_BYTES,
    responses: { 200: datasetSchemas.PartAnswer, 201: datasetSchemas.PartAnswer },
    problems: [
      'invalid_parameter',
      'digest_mismatch',
      'payload_too_large',
      'unsupported_media_type',
      'body_cut_off',
      'upload_expired',
      'quota_exceeded',
    ],
  }),
  getPart: get('/parts/:digest', 'train', {
    summary: 'The bytes of a part.',
    responses: { 200: { media: ['application/octet-stream'] } },
    problems: ['invalid_parameter', 'part_not_found'],
  }),
  putDataset: put('/datasets/:name', 'train', {
    summary: 'Makes parts that were sent a dataset, after its digest was found right.',
    body: datasetSchemas.DatasetCommit,
    responses: { 200: datasetSchemas.DatasetRecord, 201: datasetSchemas.DatasetRecord },
    problems: [
      'invalid_parameter',
      'already_exists',
      'part_not_found',
      'digest_mismatch',
      'quota_exceeded',
    ],
  }),
  listDatasets: get('/datasets', 'train', {
    summary: 'The datasets that trainers can fetch.',
    responses: { 200: datasetSchemas.DatasetList },
  }),
  getDataset: get('/datasets/:name', 'train', {
    summary: 'One dataset.',
    responses: { 200: datasetSchemas.DatasetRecord },
    problems: ['dataset_not_found'],
  }),
  deleteDataset: del('/datasets/:name', 'train', {
    summary: 'Deletes a dataset that no job under way names.',
    responses: { 204: null },
    problems: ['dataset_not_found', 'dataset_in_use'],
  }),
  downloadDataset: get('/datasets/:name/content', 'train', {
    summary: 'The bytes of a dataset, whole or a range of them.',
    responses: { 200: { media: ['*/*'] }, 206: { media: ['*/*'] }, 304: null },
    problems: ['dataset_not_found', 'range_not_satisfiable', 'precondition_failed'],
    headers: {
      range: 'The bytes asked for, such as `bytes=0-1023`.',
      'if-none-match': 'The ETag of a copy at hand; unchanged bytes answer 304.',
    },
  }),
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
      'datasets/:name': { description: 'The dataset.', schema: datasetSchemas.DatasetName },
    },
    operations: {
      missingParts: { body: { digests: [digest] }, answer: { missing: [digest] } },
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
        answer: { 'application/octet-stream': 'Call me Ishmael.' },
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
      listDatasets: { answer: { datasets: [dataset], total: 1 } },
      getDataset: { params, answer: dataset },
      deleteDataset: { params, answer: null },
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
