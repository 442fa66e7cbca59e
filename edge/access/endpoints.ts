import * as z from 'zod/mini';
import { AuditList, AuditQuery, ReportedAct } from './contract/audit.ts';
import type { Endpoints } from '../contract/endpoint.ts';
import { CreatedKey, KeyList, KeyQuery, KeyRecord, NewKey } from './contract/keys.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import { Ticket } from './contract/session.ts';

/** Keys, sessions, tickets and the audit log: part of the gateway. */
export const accessEndpoints = {
  listKeys: {
    method: 'GET',
    path: '/api/keys',
    summary: 'The API keys, the latest first, without their secrets.',
    access: 'admin',
    query: KeyQuery,
    answers: { 200: KeyList },
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Makes an API key. The answer is the only one that ever shows it.',
    access: 'admin',
    query: z.strictObject({}),
    body: NewKey,
    answers: { 201: CreatedKey },
    secret: true,
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api/keys/:id',
    summary: 'Ends an API key and its sessions at once; repeating it changes nothing.',
    access: 'admin',
    query: z.strictObject({}),
    answers: { 200: KeyRecord },
    problems: ['key_not_found'],
  },
  ...sessionEndpoints,
  createTicket: {
    method: 'POST',
    path: '/ws/tickets',
    summary: 'A ticket that opens one WebSocket within 30 seconds, with what the caller may do.',
    access: 'authenticated',
    query: z.strictObject({}),
    answers: { 201: Ticket },
    secret: true,
  },
  listAudit: {
    method: 'GET',
    path: '/api/audit',
    summary: 'What was administered, by whom and when, the latest first.',
    access: 'admin',
    query: AuditQuery,
    answers: { 200: AuditList },
  },
  reportAct: {
    method: 'POST',
    path: '/api/audit',
    summary:
      'Records what a service outside of the Worker does for a caller; it names the reporter.',
    access: 'admin',
    query: z.strictObject({}),
    body: ReportedAct,
    answers: { 204: null },
  },
} as const satisfies Endpoints;
