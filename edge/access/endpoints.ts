import * as z from 'zod/mini';
import * as auditSchemas from './contract/audit.ts';
import { AuditList, AuditQuery, ReportedAct } from './contract/audit.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import * as keysSchemas from './contract/keys.ts';
import { CreatedKey, KeyId, KeyList, KeyQuery, KeyRecord, NewKey } from './contract/keys.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import * as sessionSchemas from './contract/session.ts';
import { type Session, Ticket } from './contract/session.ts';
import { describe, fromBody } from '../contract/endpoint-docs.ts';

/** Keys, sessions, tickets and the audit log: part of the gateway. */
export const accessEndpoints = {
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: 'The API keys, the latest first, without their secrets.',
    access: 'admin',
    query: KeyQuery,
    responses: { 200: KeyList },
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Makes an API key. The answer is the only one that ever shows it.',
    access: 'admin',
    query: z.strictObject({}),
    body: NewKey,
    responses: { 201: CreatedKey },
    secret: true,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:id',
    summary: 'Ends an API key and its sessions at once; repeating it changes nothing.',
    access: 'admin',
    query: z.strictObject({}),
    responses: { 200: KeyRecord },
    problems: ['key_not_found'],
  },
  ...sessionEndpoints,
  createTicket: {
    method: 'POST',
    path: '/ws/tickets',
    summary: 'A ticket that opens one WebSocket within 30 seconds, with what the caller may do.',
    access: 'authenticated',
    query: z.strictObject({}),
    responses: { 201: Ticket },
    secret: true,
  },
  listAudit: {
    method: 'GET',
    path: '/api/audit',
    summary: 'What was administered, by whom and when, the latest first.',
    access: 'admin',
    query: AuditQuery,
    responses: { 200: AuditList },
  },
  reportAct: {
    method: 'POST',
    path: '/api/audit',
    summary:
      'Records what a service outside of the Worker does for a caller; it names the reporter.',
    access: 'admin',
    query: z.strictObject({}),
    body: ReportedAct,
    responses: { 204: null },
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const accessDocs = () => {
  const key: KeyRecord = {
    key_id: '3f8k2m9qv0ab',
    name: 'CI',
    team: 'vision',
    scopes: ['registry:read', 'registry:write'],
    status: 'active',
    created_at: '2026-11-20T10:00:00Z',
    created_by: 'local',
    expires_at: '2027-02-18T10:00:00Z',
    last_used_at: null,
    revoked_at: null,
  };

  const KEY = `sg_${key.key_id}_${'0123456789abcdefghjkmnpqrstvwxyz'.repeat(2).slice(0, 52)}`;

  const session: Session = {
    auth_mode: 'required',
    kind: 'session',
    id: key.key_id,
    team: key.team,
    scopes: key.scopes,
    csrf_token: '5nq8v1',
    expires_at: '2026-11-20T22:00:00Z',
  };

  return describe(accessEndpoints, {
    schemas: [auditSchemas, keysSchemas, sessionSchemas],
    params: { 'keys/:id': { description: 'The public part of a key.', schema: KeyId } },
    operations: {
      listKeys: {
        query: { status: 'active', limit: '20' },
        responses: { 200: { keys: [key], total: 1, has_more: false, next_cursor: null } },
      },
      createKey: {
        query: {},
        body: { name: 'CI', scopes: ['registry:read', 'registry:write'], expires_in_s: 7_776_000 },
        responses: { 201: { ...key, key: KEY } },
        links: { 201: { revokeKey: { id: fromBody('key_id') } } },
      },
      revokeKey: {
        params: { id: key.key_id },
        query: {},
        responses: { 200: { ...key, status: 'revoked', revoked_at: '2026-12-01T08:00:00Z' } },
      },
      getSession: { query: {}, responses: { 200: session } },
      signIn: { query: {}, body: { key: KEY }, responses: { 201: session } },
      identityKeys: {
        query: {},
        responses: {
          200: {
            keys: [
              {
                kty: 'OKP',
                crv: 'Ed25519',
                x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
                kid: '01KAJ9W9A1B2C3D4E5F6G7H8J9',
                alg: 'EdDSA',
                use: 'sig',
              },
            ],
          },
        },
      },
      signOut: { query: {}, responses: { 204: null } },
      createTicket: {
        query: {},
        responses: { 201: { ticket: 't_7hq2', expires_at: '2026-11-20T10:00:30Z' } },
      },
      reportAct: {
        query: {},
        body: {
          action: 'test.run',
          actor: { kind: 'key', id: key.key_id },
          target: 'run_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
          detail: { test_type: 'unit' },
        },
        responses: { 204: null },
      },
      listAudit: {
        query: { action: 'key.create', limit: '20' },
        responses: {
          200: {
            events: [
              {
                event_id: 'evt_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
                time: '2026-11-20T10:00:00Z',
                action: 'key.create',
                actor: { kind: 'local', id: null },
                target: key.key_id,
                detail: { name: 'CI', scopes: ['registry:read', 'registry:write'] },
                request_id: 'req_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
                trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
              },
            ],
            has_more: false,
            next_cursor: null,
          },
        },
      },
    },
  });
};
