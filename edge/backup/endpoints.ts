import * as z from 'zod/mini';
import * as backupSchemas from './contract/backup.ts';
import {
  FileParts,
  FileUpload,
  FileUploadBegun,
  KeptCursor,
  type KeptEnd,
  KeptFile,
  KeptFileList,
  KeptFilePlace,
  type KeptForm,
  type KeptObject,
  KeptObjectList,
  ObjectPage,
  PartWritten,
  ReadObject,
  Restored,
  RestoredObject,
  Staged,
  StagedRows,
  WrittenFile,
} from './contract/backup.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** The most bytes of a file that one request carries. */
export const MAX_PART_BYTES = 32 * 1024 * 1024;

const NOTHING = z.strictObject({});
const PAGE = z.strictObject({ cursor: z.optional(KeptCursor) });
const BYTES = { media: ['application/octet-stream'] } as const;

/** Calls of `npm run backup` and `npm run restore`: part of the gateway. */
export const backupEndpoints = {
  listKeptObjects: {
    method: 'GET',
    path: '/api/backup/objects',
    summary: 'The objects whose tables are backed up, by class and name.',
    access: 'admin',
    query: PAGE,
    responses: { 200: KeptObjectList },
  },
  readObject: {
    method: 'POST',
    path: '/api/backup/read',
    summary: 'A page of the rows of one object; the last one makes them those of one moment.',
    access: 'admin',
    query: NOTHING,
    body: ReadObject,
    responses: { 200: ObjectPage },
    problems: ['precondition_failed'],
    secret: true,
  },
  listKeptFiles: {
    method: 'GET',
    path: '/api/backup/files',
    summary: 'The files of all buckets.',
    access: 'admin',
    query: PAGE,
    responses: { 200: KeptFileList },
  },
  readKeptFile: {
    method: 'GET',
    path: '/api/backup/file',
    summary: 'The bytes of one file.',
    access: 'admin',
    query: KeptFilePlace,
    responses: { 200: BYTES },
    problems: ['file_not_found'],
  },
  writeKeptFile: {
    method: 'PUT',
    path: '/api/backup/file',
    summary: 'Writes a file, or with `upload_id` and `part` a part of one.',
    access: 'admin',
    query: WrittenFile,
    body: BYTES,
    maxBodyBytes: MAX_PART_BYTES,
    responses: { 200: KeptFile, 201: PartWritten },
    problems: ['file_not_found', 'upload_not_found', 'already_exists'],
  },
  beginKeptFile: {
    method: 'POST',
    path: '/api/backup/file',
    summary: 'Begins a file that is written in parts, as all but small ones are.',
    access: 'admin',
    query: NOTHING,
    body: FileUpload,
    responses: { 200: FileUploadBegun },
    problems: ['file_not_found', 'already_exists'],
  },
  completeKeptFile: {
    method: 'POST',
    path: '/api/backup/file/complete',
    summary: 'Makes the parts of a file one.',
    access: 'admin',
    query: NOTHING,
    body: FileParts,
    responses: { 200: KeptFile },
    problems: ['file_not_found', 'upload_not_found'],
  },
  stageRows: {
    method: 'POST',
    path: '/api/backup/stage',
    summary: 'Lays rows of an object beside it. It has to be empty, as on a platform that is new.',
    access: 'admin',
    query: NOTHING,
    body: StagedRows,
    maxBodyBytes: 16 * 1024 * 1024,
    responses: { 200: Staged },
    problems: ['already_exists', 'offset_mismatch'],
  },
  commitObject: {
    method: 'POST',
    path: '/api/backup/commit',
    summary: "Makes the rows laid beside an object the object's, all of them or none.",
    access: 'admin',
    query: NOTHING,
    body: RestoredObject,
    maxBodyBytes: 16 * 1024 * 1024,
    responses: { 200: Restored },
    problems: ['already_exists', 'offset_mismatch', 'digest_mismatch', 'precondition_failed'],
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const backupDocs = () => {
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

  return describe(backupEndpoints, {
    schemas: [backupSchemas],
    params: {},
    operations: {
      listKeptObjects: {
        query: {},
        responses: {
          200: { objects: [object, { class: 'Access', name: 'main' }], next_cursor: null },
        },
      },
      readObject: {
        query: {},
        body: { object },
        responses: {
          200: { form, changed: false, rows, gone: [], next_cursor: '01KAJ9W9A1.1', end: null },
        },
      },
      listKeptFiles: { query: {}, responses: { 200: { files: [written], next_cursor: null } } },
      readKeptFile: { query: file, responses: { 200: { 'application/octet-stream': '' } } },
      writeKeptFile: {
        query: { ...file, upload_id, part: '1' },
        body: { 'application/octet-stream': '' },
        responses: { 200: written, 201: { etag: written.etag } },
      },
      beginKeptFile: { query: {}, body: file, responses: { 200: { upload_id } } },
      completeKeptFile: {
        query: {},
        body: { ...file, upload_id, parts: [{ part: 1, etag: written.etag }] },
        responses: { 200: written },
      },
      stageRows: {
        query: {},
        body: { object, digest, page: 0, rows },
        responses: { 200: { status: 'staged', next_page: 1 } },
      },
      commitObject: {
        query: {},
        body: { object, digest, pages: 1, form, end },
        responses: { 200: { status: 'restored', rows: 1 } },
      },
    },
  });
};
