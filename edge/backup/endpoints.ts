import * as z from 'zod/mini';
import * as backupSchemas from './contract/backup.ts';
import { type Endpoints, get, post, put } from '../contract/endpoint.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** The most bytes of a file that one request carries. */
export const MAX_PART_BYTES = 32 * 1024 * 1024;

const PAGE = z.strictObject({ cursor: z.optional(backupSchemas.KeptCursor) });
const BYTES = { media: ['application/octet-stream'] } as const;

/** Calls of `npm run backup` and `npm run restore`: part of the gateway. */
export const backupEndpoints = {
  listKeptObjects: get('/api/backup/objects', 'admin', {
    summary: 'The objects whose tables are backed up, by class and name.',
    query: PAGE,
    responses: { 200: backupSchemas.KeptObjectList },
  }),
  readObject: post('/api/backup/read', 'admin', {
    summary: 'A page of the rows of one object; the last one makes them those of one moment.',
    body: backupSchemas.ReadObject,
    responses: { 200: backupSchemas.ObjectPage },
    problems: ['precondition_failed'],
    secret: true,
  }),
  listKeptFiles: get('/api/backup/files', 'admin', {
    summary: 'The files of all buckets.',
    query: PAGE,
    responses: { 200: backupSchemas.KeptFileList },
  }),
  readKeptFile: get('/api/backup/file', 'admin', {
    summary: 'The bytes of one file.',
    query: backupSchemas.KeptFilePlace,
    responses: { 200: BYTES },
    problems: ['file_not_found'],
  }),
  writeKeptFile: put('/api/backup/file', 'admin', {
    summary: 'Writes a file, or with `upload_id` and `part` a part of one.',
    query: backupSchemas.WrittenFile,
    body: BYTES,
    maxBodyBytes: MAX_PART_BYTES,
    responses: { 200: backupSchemas.KeptFile, 201: backupSchemas.PartWritten },
    problems: ['file_not_found', 'upload_not_found', 'already_exists'],
  }),
  beginKeptFile: post('/api/backup/file', 'admin', {
    summary: 'Begins a file that is written in parts, as all but small ones are.',
    body: backupSchemas.FileUpload,
    responses: { 200: backupSchemas.FileUploadBegun },
    problems: ['file_not_found', 'already_exists'],
  }),
  completeKeptFile: post('/api/backup/file/complete', 'admin', {
    summary: 'Makes the parts of a file one.',
    body: backupSchemas.FileParts,
    responses: { 200: backupSchemas.KeptFile },
    problems: ['file_not_found', 'upload_not_found'],
  }),
  stageRows: post('/api/backup/stage', 'admin', {
    summary: 'Lays rows of an object beside it. It has to be empty, as on a platform that is new.',
    body: backupSchemas.StagedRows,
    maxBodyBytes: 16 * 1024 * 1024,
    responses: { 200: backupSchemas.Staged },
    problems: ['already_exists', 'offset_mismatch'],
  }),
  commitObject: post('/api/backup/commit', 'admin', {
    summary: "Makes the rows laid beside an object the object's, all of them or none.",
    body: backupSchemas.RestoredObject,
    maxBodyBytes: 16 * 1024 * 1024,
    responses: { 200: backupSchemas.Restored },
    problems: ['already_exists', 'offset_mismatch', 'digest_mismatch', 'precondition_failed'],
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const backupDocs = () => {
  const object: backupSchemas.KeptObject = { class: 'MemoryDirectory', name: 'main' };
  const form: backupSchemas.KeptForm = {
    schema: 1,
    tables: {
      namespaces: { columns: ['seq', 'owner', 'namespace', 'created_at'], key: ['seq'] },
    },
  };
  const end: backupSchemas.KeptEnd = {
    alarm: null,
    sequences: { namespaces: 1 },
    rows: { namespaces: 1 },
  };
  const rows = ['["namespaces",[1,"key:3f8k2m9qv0ab","plant",1763632800000]]'];
  const digest = '4d1f0c8a'.repeat(8);
  const file = { bucket: 'FILES', key: 'files/01KAJ9W9A1B2C3D4E5F6G7H8J9' };
  const written = { ...file, size_bytes: 300_000, etag: '9b2cf535f27731c974343645a3985328' };
  const upload_id = 'AKbWqcJ7Ff1v';

  return describe(backupEndpoints, {
    schemas: [backupSchemas],
    params: {},
    operations: {
      listKeptObjects: {
        answer: { objects: [object, { class: 'Access', name: 'main' }], next_cursor: null },
      },
      readObject: {
        body: { object },
        answer: { form, changed: false, rows, gone: [], next_cursor: '01KAJ9W9A1.1', end: null },
      },
      listKeptFiles: { answer: { files: [written], next_cursor: null } },
      readKeptFile: { query: file, answer: { 'application/octet-stream': '' } },
      writeKeptFile: {
        query: { ...file, upload_id, part: '1' },
        body: { 'application/octet-stream': '' },
        responses: { 200: written, 201: { etag: written.etag } },
      },
      beginKeptFile: { body: file, answer: { upload_id } },
      completeKeptFile: {
        body: { ...file, upload_id, parts: [{ part: 1, etag: written.etag }] },
        answer: written,
      },
      stageRows: {
        body: { object, digest, page: 0, rows },
        answer: { status: 'staged', next_page: 1 },
      },
      commitObject: {
        body: { object, digest, pages: 1, form, end },
        answer: { status: 'restored', rows: 1 },
      },
    },
  });
};
