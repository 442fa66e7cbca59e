import * as auditSchemas from './contract/audit.ts';
import { type Endpoints, get, post, del } from '../contract/endpoint.ts';
import * as keysSchemas from './contract/keys.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import * as sessionSchemas from './contract/session.ts';
import { type Session, Ticket } from './contract/session.ts';
import { describe, fromBody } from '../contract/endpoint-docs.ts';

/** Keys, sessions, tickets and the audit log: part of the gateway. */
export const accessEndpoints = {
  listKeys: get('/api/keys', 'admin', {
    summary: 'The API keys, the latest first, without their secrets.',
    query: keysSchemas.KeyQuery,
    responses: { 200: keysSchemas.KeyList },
  }),
  createKey: post('/api/keys', 'admin', {
    summary: 'Makes an API key. The answer is the only one that ever shows it.',
    body: keysSchemas.NewKey,
    responses: { 201: keysSchemas.CreatedKey },
    secret: true,
  }),
  revokeKey: del('/api/keys/:id', 'admin', {
    summary: 'Ends an API key and its sessions at once; repeating it changes nothing.',
    responses: { 200: keysSchemas.KeyRecord },
    problems: ['key_not_found'],
  }),
  ...sessionEndpoints,
  createTicket: post('/ws/tickets', 'authenticated', {
    summary: 'A ticket that opens one WebSocket within 30 seconds, with what the caller may do.',
    responses: { 201: Ticket },
    secret: true,
  }),
  listAudit: get('/api/audit', 'admin', {
    summary: 'What was administered, by whom and when, the latest first.',
    query: auditSchemas.AuditQuery,
    responses: { 200: auditSchemas.AuditList },
  }),
  reportAct: post('/api/audit', 'admin', {
    summary:
      'Records what a service outside of the Worker does for a caller; it names the reporter.',
    body: auditSchemas.ReportedAct,
    responses: { 204: null },
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const accessDocs = () => {
  const key: keysSchemas.KeyRecord = {
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
    params: { 'keys/:id': { description: 'The public part of a key.', schema: keysSchemas.KeyId } },
    operations: {
      listKeys: {
        query: { status: 'active', limit: '20' },
        answer: { keys: [key], total: 1, has_more: false, next_cursor: null },
      },
      createKey: {
        body: { name: 'CI', scopes: ['registry:read', 'registry:write'], expires_in_s: 7_776_000 },
        answer: { ...key, key: KEY },
        links: { 201: { revokeKey: { id: fromBody('key_id') } } },
      },
      revokeKey: {
        params: { id: key.key_id },
        answer: { ...key, status: 'revoked', revoked_at: '2026-12-01T08:00:00Z' },
      },
      getSession: { answer: session },
      signIn: { body: { key: KEY }, answer: session },
      identityKeys: {
        answer: {
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
      signOut: { answer: null },
      createTicket: {
        answer: { ticket: 't_7hq2', expires_at: '2026-11-20T10:00:30Z' },
      },
      reportAct: {
        body: {
          action: 'test.run',
          actor: { kind: 'key', id: key.key_id },
          target: 'run_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
          detail: { test_type: 'unit' },
        },
        answer: null,
      },
      listAudit: {
        query: { action: 'key.create', limit: '20' },
        answer: {
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
  });
};
