import type { datasetEndpoints } from '../training/trainer-endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';
import { digest, part } from '../training/record-examples.ts';

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

export const datasetExamples: ExamplesOf<typeof datasetEndpoints> = {
  missingParts: { body: { digests: [digest] }, answers: { 200: { missing: [digest] } } },
  putPart: {
    params: { digest },
    body: { 'application/octet-stream': 'Call me Ishmael.' },
    answers: { 200: part, 201: part },
  },
  getPart: {
    params: { digest },
    answers: { 200: { 'application/octet-stream': 'Call me Ishmael.' } },
  },
  putDataset: {
    params,
    body: { digest, size_bytes: 4096, content_type: dataset.content_type, parts: [part] },
    answers: { 200: dataset, 201: dataset },
  },
  listDatasets: { answers: { 200: { datasets: [dataset], total: 1 } } },
  getDataset: { params, answers: { 200: dataset } },
  deleteDataset: { params, answers: { 204: null } },
  downloadDataset: {
    params,
    answers: {
      200: { '*/*': 'Call me Ishmael.' },
      206: { '*/*': 'Call me' },
      304: null,
    },
    requestHeaders: { range: 'bytes=0-6' },
  },
};
