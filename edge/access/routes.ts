import { accessOf } from './access-stub.ts';
import { audit } from './audit.ts';
import { forgetKey } from './verify.ts';
import { accessEndpoints } from './endpoints.ts';
import {
  createApiKey,
  formatApiKey,
  hashSecret,
  KEY_ID,
  randomSecret,
} from './contract/api-key.ts';
import type { Scope } from '../contract/scope.ts';
import type { Env } from '../env.ts';
import { allows, type Caller } from '../http/caller.ts';
import { pageEnd, readCursor } from '../http/cursor.ts';
import { ownerOf, teamOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, routesOf } from '../http/route.ts';
import { getSession, identityKeys, signIn, signOut } from './session-routes.ts';

type Endpoints = typeof accessEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** /api/keys, /api/session, /api/audit and /ws/tickets: access and its audit log. */
export const accessRoutes = routesOf<Env, Endpoints>(accessEndpoints, {
  listKeys,
  createKey,
  revokeKey,
  getSession,
  signIn,
  identityKeys,
  signOut,
  createTicket,
  listAudit,
  reportAct,
});

async function listKeys({ query, env }: Handled<'listKeys'>): Reply<'listKeys'> {
  const { cursor, limit, ...filters } = query;
  const before = readCursor(cursor, filters);
  const { keys, total, next } = await accessOf(env).listKeys({ ...filters, limit }, before);
  const body = { keys: [...keys], total, ...pageEnd(next, filters) };
  return { status: 200, body };
}

/** A caller can only grant scopes that it has. @throws Problem forbidden */
function requireHeld(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !allows(caller, scope));
  if (missing.length === 0) return;
  throw new Problem(
    'forbidden',
    `/scopes: a key gets ${missing.join(', ')} from who has that himself; you have not. The first key of the platform has it.`,
  );
}

async function createKey(call: Handled<'createKey'>): Reply<'createKey'> {
  requireHeld(call.caller, call.body.scopes);
  const { name, scopes, team = teamOf(call.caller), expires_in_s: ttl } = call.body;
  const key = createApiKey();
  const record = await accessOf(call.env).createKey({
    id: key.id,
    secretHash: await hashSecret(key.secret),
    name,
    team,
    scopes,
    createdBy: ownerOf(call.caller),
    ttlMs: ttl === undefined ? null : ttl * 1000,
  });
  const detail = { name, team, scopes, expires_at: record.expires_at };
  await audit(call, { action: 'key.create', target: key.id, detail });
  const headers = { location: `${call.prefix}/api/keys/${key.id}` };
  return { status: 201, body: { ...record, key: formatApiKey(key) }, headers };
}

async function revokeKey(call: Handled<'revokeKey'>): Reply<'revokeKey'> {
  const { id } = call.params;
  const revoked = KEY_ID.test(id) ? await accessOf(call.env).revokeKey(id) : undefined;
  if (!revoked) throw new Problem('key_not_found', `There is no key with the id ${id}.`);
  forgetKey(id);
  const { record, isNew } = revoked;
  if (isNew) {
    await audit(call, { action: 'key.revoke', target: id, detail: { name: record.name } });
  }
  return { status: 200, body: record };
}

async function createTicket({ env, caller }: Handled<'createTicket'>): Reply<'createTicket'> {
  const ticket = randomSecret();
  const end = await accessOf(env).issueTicket(await hashSecret(ticket), caller);
  const body = { ticket, expires_at: new Date(end).toISOString() };
  return { status: 201, body };
}

async function listAudit({ query, env }: Handled<'listAudit'>): Reply<'listAudit'> {
  const { cursor, limit, ...filters } = query;
  const before = readCursor(cursor, filters);
  const { events, next } = await accessOf(env).listAudit({ ...filters, limit }, before);
  const body = { events: [...events], ...pageEnd(next, filters) };
  return { status: 200, body };
}

/** The actor is what the reporting service states, so its own id is recorded as well. */
async function reportAct({ body, env, caller, trace }: Handled<'reportAct'>): Reply<'reportAct'> {
  const reportedBy = 'id' in caller ? caller.id : caller.kind;
  await accessOf(env).record({
    ...body,
    detail: { ...body.detail, reported_by: reportedBy },
    request_id: trace.requestId,
    trace_id: trace.traceId,
  });
  return { status: 204, body: undefined };
}
