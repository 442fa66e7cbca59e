import type { backupEndpoints } from './endpoints.ts';
import type { KeptEnd, KeptForm, KeptObject } from './contract/backup.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const object: KeptObject = { class: 'MemoryDirectory', name: 'main' };
const form: KeptForm = {
  schema: 1,
  tables: {
    namespaces: { columns: ['seq', 'owner', 'namespace', 'created_at'], key: ['seq'] },
  },
};
const end: KeptEnd = { alarm: null, sequences: { namespaces: 1 }, rows: { namespaces: 1 } };
const rows = ['["namespaces",[1,"key:3f8k2m9qv0ab","plant",1763632800000]]'];
const digest = '4d1f0c8a'.repeat(8);
const file = { bucket: 'FILES', key: 'files/01KAJ9W9A1B2C3D4E5F6G7H8J9' };
const written = { ...file, size_bytes: 300_000, etag: '9b2cf535f27731c974343645a3985328' };
const upload_id = 'AKbWqcJ7Ff1v';

export const backupExamples: ExamplesOf<typeof backupEndpoints> = {
  listKeptObjects: {
    query: {},
    answers: { 200: { objects: [object, { class: 'Access', name: 'main' }], next_cursor: null } },
  },
  readObject: {
    query: {},
    body: { object },
    answers: {
      200: { form, changed: false, rows, gone: [], next_cursor: '01KAJ9W9A1.1', end: null },
    },
  },
  listKeptFiles: { query: {}, answers: { 200: { files: [written], next_cursor: null } } },
  readKeptFile: { query: file, answers: { 200: { 'application/octet-stream': '' } } },
  writeKeptFile: {
    query: { ...file, upload_id, part: '1' },
    body: { 'application/octet-stream': '' },
    answers: { 200: written, 201: { etag: written.etag } },
  },
  beginKeptFile: { query: {}, body: file, answers: { 200: { upload_id } } },
  completeKeptFile: {
    query: {},
    body: { ...file, upload_id, parts: [{ part: 1, etag: written.etag }] },
    answers: { 200: written },
  },
  stageRows: {
    query: {},
    body: { object, digest, page: 0, rows },
    answers: { 200: { status: 'staged', next_page: 1 } },
  },
  commitObject: {
    query: {},
    body: { object, digest, pages: 1, form, end },
    answers: { 200: { status: 'restored', rows: 1 } },
  },
};
