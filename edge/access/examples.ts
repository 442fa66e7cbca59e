import type { accessEndpoints } from './endpoints.ts';
import type { KeyRecord } from './contract/keys.ts';
import type { Session } from './contract/session.ts';
import type { ExamplesOf } from '../api-description/description.ts';

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

export const accessExamples: ExamplesOf<typeof accessEndpoints> = {
  listKeys: {
    query: { status: 'active', limit: '20' },
    answers: { 200: { keys: [key], total: 1, has_more: false, next_cursor: null } },
  },
  createKey: {
    query: {},
    body: { name: 'CI', scopes: ['registry:read', 'registry:write'], expires_in_s: 7_776_000 },
    answers: { 201: { ...key, key: KEY } },
  },
  revokeKey: {
    params: { id: key.key_id },
    query: {},
    answers: { 200: { ...key, status: 'revoked', revoked_at: '2026-12-01T08:00:00Z' } },
  },
  getSession: { query: {}, answers: { 200: session } },
  signIn: { query: {}, body: { key: KEY }, answers: { 201: session } },
  identityKeys: {
    query: {},
    answers: {
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
  signOut: { query: {}, answers: { 204: null } },
  createTicket: {
    query: {},
    answers: { 201: { ticket: 't_7hq2', expires_at: '2026-11-20T10:00:30Z' } },
  },
  reportAct: {
    query: {},
    body: {
      action: 'test.run',
      actor: { kind: 'key', id: key.key_id },
      target: 'run_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
      detail: { test_type: 'unit' },
    },
    answers: { 204: null },
  },
  listAudit: {
    query: { action: 'key.create', limit: '20' },
    answers: {
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
};
