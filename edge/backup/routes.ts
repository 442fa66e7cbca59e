import { audit } from '../access/audit.ts';
import { objectNames } from './object-names.ts';
import { afterRestart, storedOf } from './stored-stub.ts';
import { backupEndpoints, MAX_PART_BYTES } from './endpoints.ts';
import type { KeptObject } from './contract/backup.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import type { CommitResult } from '../storage/restore.ts';
import { geoConfigOf } from '../geo/config.ts';
import { chunksOf, mediaTypeOf, readBytes, unsupported } from '../http/body.ts';

type Endpoints = typeof backupEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /api/backup/…: everything that is stored, read and put back. */
export const backupRoutes = routesOf<Env, Endpoints>(backupEndpoints, {
  listKeptObjects,
  readObject,
  listKeptFiles,
  readKeptFile,
  writeKeptFile,
  beginKeptFile,
  completeKeptFile,
  stageRows,
  commitObject,
});

async function listKeptObjects(call: Handled<'listKeptObjects'>): Reply<'listKeptObjects'> {
  const { env, query } = call;
  const { objects, next } = await objectNames(env, query.cursor);
  if (query.cursor === undefined) await audit(call, { action: 'backup.read', target: 'platform' });
  return { status: 200, body: { objects: [...objects], next_cursor: next ?? null } };
}

async function readObject({ env, body }: Handled<'readObject'>): Reply<'readObject'> {
  const { object, cursor } = body;
  const read = await storedOf(env, object).readRows(cursor);
  if (read.kind === 'page') return { status: 200, body: read.page };
  throw new Problem(
    'precondition_failed',
    `cursor: ${nameOf(object)} has restarted, or has another reader: read it from its first page.`,
  );
}

async function stageRows({ env, body }: Handled<'stageRows'>): Reply<'stageRows'> {
  const { object, ...rows } = body;
  const result = await storedOf(env, object).stageRows(rows);
  if (result.kind === 'staged') return { status: 200, body: result.staged };
  throw refusalOf(object, result);
}

async function commitObject(call: Handled<'commitObject'>): Reply<'commitObject'> {
  const { object, ...rows } = call.body;
  const result = await afterRestart(() => storedOf(call.env, object).commitRows(rows));
  if (result.kind !== 'restored') throw refusalOf(object, result);
  await audit(call, {
    action: 'backup.restore',
    target: nameOf(object),
    detail: { rows: result.rows },
  });
  return { status: 200, body: { status: 'restored', rows: result.rows } };
}

const nameOf = ({ class: kind, name }: KeptObject): string => `${kind} ${name}`;

function refusalOf(
  object: KeptObject,
  result: Exclude<CommitResult, { kind: 'restored' }>,
): Problem {
  switch (result.kind) {
    case 'not-empty':
      return new Problem(
        'already_exists',
        `${nameOf(object)} holds ${result.rows} rows in ${result.table}, expected the object of a new platform.`,
      );
    case 'other-page':
      return new Problem(
        'offset_mismatch',
        `page: expected ${result.expected} of ${nameOf(object)}.`,
      );
    case 'other-rows':
      return new Problem(
        'digest_mismatch',
        `digest: the rows that came for ${nameOf(object)} have another.`,
      );
    case 'newer':
      return new Problem(
        'precondition_failed',
        `form.schema: expected at most ${result.known}; the backup of ${nameOf(object)} was made by a newer version.`,
      );
  }
}

const BYTES = 'application/octet-stream';

/** GET /api/backup/files, bucket after bucket: a cursor is the number of one and a cursor in it. */
async function listKeptFiles({ env, query }: Handled<'listKeptFiles'>): Reply<'listKeptFiles'> {
  const buckets = bucketNames(env);
  const [, index, cursor] = /^(\d{1,3})\.(.*)$/s.exec(query.cursor ?? '0.') ?? [];
  const bucket = buckets[Number(index)];
  if (bucket === undefined) {
    const got = JSON.stringify(query.cursor);
    throw new Problem('invalid_parameter', `cursor: got ${got}, expected one of a page.`);
  }
  const listed = await bucketOf(env, bucket).list(cursor ? { cursor } : {});
  const files = listed.objects.map(({ key, size, etag }) => ({
    bucket,
    key,
    size_bytes: size,
    etag,
  }));
  const after = Number(index) + 1 < buckets.length ? `${Number(index) + 1}.` : null;
  const next_cursor = listed.truncated ? `${index}.${listed.cursor}` : after;
  return { status: 200, body: { files, next_cursor } };
}

/** GET /api/backup/file. */
async function readKeptFile({ env, query }: Handled<'readKeptFile'>): Promise<Response> {
  const file = await bucketOf(env, query.bucket).get(query.key);
  if (!file) throw noFile(query);
  return new Response(file.body, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(file.size),
      'cache-control': 'no-store',
    },
  });
}

/** PUT /api/backup/file: a file is written once, and never over another. */
async function writeKeptFile(call: Handled<'writeKeptFile'>): Reply<'writeKeptFile'> {
  const { env, query, request } = call;
  const { bucket, key, upload_id: uploadId, part } = query;
  const type = mediaTypeOf(request.headers);
  if (type !== BYTES) throw unsupported(type, BYTES);
  const target = bucketOf(env, bucket);
  const bytes = await readBytes(chunksOf(request.body), MAX_PART_BYTES);
  if (uploadId === undefined || part === undefined) {
    await refuseTaken(target, key);
    const { etag } = (await target.put(key, bytes)) ?? { etag: '' };
    return { status: 200, body: { bucket, key, size_bytes: bytes.length, etag } };
  }
  const { etag } = await target
    .resumeMultipartUpload(key, uploadId)
    .uploadPart(part, bytes)
    .catch((error: unknown) => {
      throw noUpload(key, error);
    });
  return { status: 201, body: { etag } };
}

/** POST /api/backup/file. */
async function beginKeptFile({ env, body }: Handled<'beginKeptFile'>): Reply<'beginKeptFile'> {
  const bucket = bucketOf(env, body.bucket);
  await refuseTaken(bucket, body.key);
  const { uploadId } = await bucket.createMultipartUpload(body.key);
  return { status: 200, body: { upload_id: uploadId } };
}

/** POST /api/backup/file/complete. */
async function completeKeptFile(call: Handled<'completeKeptFile'>): Reply<'completeKeptFile'> {
  const { bucket, key, upload_id: uploadId, parts } = call.body;
  const { size, etag } = await bucketOf(call.env, bucket)
    .resumeMultipartUpload(key, uploadId)
    .complete(parts.map((one) => ({ partNumber: one.part, etag: one.etag })))
    .catch((error: unknown) => {
      throw noUpload(key, error);
    });
  return { status: 200, body: { bucket, key, size_bytes: size, etag } };
}

/** The names that buckets are bound to: the one of all, and those that regions have to themselves. */
const bucketNames = (env: Env): readonly string[] => [
  ...new Set(['FILES', ...Object.values(geoConfigOf(env).region_buckets)]),
];

function bucketOf(env: Env, name: string): R2Bucket {
  const bucket =
    bucketNames(env).includes(name) && (Reflect.get(env, name) as R2Bucket | undefined);
  if (bucket) return bucket;
  throw new Problem('file_not_found', `bucket: there is no bucket ${JSON.stringify(name)} here.`);
}

async function refuseTaken(bucket: R2Bucket, key: string): Promise<void> {
  if (!(await bucket.head(key))) return;
  throw new Problem('already_exists', `key: there is a file ${JSON.stringify(key)} already.`);
}

const noFile = ({ bucket, key }: { readonly bucket: string; readonly key: string }): Problem =>
  new Problem('file_not_found', `There is no file ${JSON.stringify(key)} in ${bucket}.`);

const noUpload = (key: string, error: unknown): Problem =>
  new Problem(
    'upload_not_found',
    `The parts of ${JSON.stringify(key)} cannot be written: ${String(error)}`,
  );
