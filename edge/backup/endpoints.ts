import * as z from 'zod/mini';
import {
  FileParts,
  FileUpload,
  FileUploadBegun,
  KeptCursor,
  KeptFile,
  KeptFileList,
  KeptFilePlace,
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

/** The most bytes of a file that one request carries. */
export const MAX_PART_BYTES = 32 * 1024 * 1024;

const NOTHING = z.strictObject({});
const PAGE = z.strictObject({ cursor: z.optional(KeptCursor) });
const BYTES = { media: ['application/octet-stream'] } as const;

/** What `npm run backup` and `npm run restore` ask for: part of the gateway. */
export const backupEndpoints = {
  listKeptObjects: {
    method: 'GET',
    path: '/api/backup/objects',
    summary: 'The objects whose tables are backed up, by class and name.',
    access: 'admin',
    query: PAGE,
    answers: { 200: KeptObjectList },
  },
  readObject: {
    method: 'POST',
    path: '/api/backup/read',
    summary: 'A page of the rows of one object; the last one makes them those of one moment.',
    access: 'admin',
    query: NOTHING,
    body: ReadObject,
    answers: { 200: ObjectPage },
    problems: ['precondition_failed'],
    secret: true,
  },
  listKeptFiles: {
    method: 'GET',
    path: '/api/backup/files',
    summary: 'The files of all buckets.',
    access: 'admin',
    query: PAGE,
    answers: { 200: KeptFileList },
  },
  readKeptFile: {
    method: 'GET',
    path: '/api/backup/file',
    summary: 'The bytes of one file.',
    access: 'admin',
    query: KeptFilePlace,
    answers: { 200: BYTES },
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
    answers: { 200: KeptFile, 201: PartWritten },
    problems: ['file_not_found', 'upload_not_found', 'already_exists'],
  },
  beginKeptFile: {
    method: 'POST',
    path: '/api/backup/file',
    summary: 'Begins a file that is written in parts, as all but small ones are.',
    access: 'admin',
    query: NOTHING,
    body: FileUpload,
    answers: { 200: FileUploadBegun },
    problems: ['file_not_found', 'already_exists'],
  },
  completeKeptFile: {
    method: 'POST',
    path: '/api/backup/file/complete',
    summary: 'Makes the parts of a file one.',
    access: 'admin',
    query: NOTHING,
    body: FileParts,
    answers: { 200: KeptFile },
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
    answers: { 200: Staged },
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
    answers: { 200: Restored },
    problems: ['already_exists', 'offset_mismatch', 'digest_mismatch', 'precondition_failed'],
  },
} as const satisfies Endpoints;
