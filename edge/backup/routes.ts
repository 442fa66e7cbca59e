import { audit } from '../access/audit.ts';
import { objectNames } from './object-names.ts';
import { afterRestart, storedOf } from './stored-stub.ts';
import { backupEndpoints } from './endpoints.ts';
import type { KeptObject } from './contract/backup.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import type { CommitResult } from '../storage/restore.ts';
import {
  beginKeptFile,
  completeKeptFile,
  listKeptFiles,
  readKeptFile,
  writeKeptFile,
} from './file-routes.ts';

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
    `cursor: ${nameOf(object)} has begun anew, or is read by somebody else: read it from its first page.`,
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
        `${nameOf(object)} holds ${result.rows} rows in ${result.table}, expected an object of a new platform.`,
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
