import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import { IDENTITY_KEYS_PATH, IdentityKeys } from '../contract/identity.ts';
import { Session, SignIn } from './contract/session.ts';

/** Session of a page: who is signed in, sign-in and sign-out. */
export const sessionEndpoints = {
  getSession: {
    method: 'GET',
    path: '/api/session',
    summary: 'Who the caller is, what he may do, and the CSRF token of his session.',
    access: 'public',
    query: z.strictObject({}),
    responses: { 200: Session },
    problems: ['unauthenticated', 'origin_not_allowed', 'rate_limited'],
  },
  identityKeys: {
    method: 'GET',
    path: IDENTITY_KEYS_PATH,
    summary: 'The public keys with which services verify who calls through the gateway.',
    access: 'public',
    query: z.strictObject({}),
    responses: { 200: IdentityKeys },
  },
  signIn: {
    method: 'POST',
    path: '/api/session',
    summary: 'Exchanges an API key for a session cookie.',
    access: 'public',
    query: z.strictObject({}),
    body: SignIn,
    responses: { 201: Session },
    problems: ['unauthenticated', 'origin_not_allowed', 'rate_limited'],
    secret: true,
  },
  signOut: {
    method: 'DELETE',
    path: '/api/session',
    summary: 'Ends the session of the cookie, where there is one.',
    access: 'public',
    query: z.strictObject({}),
    responses: { 204: null },
    problems: ['unauthenticated', 'forbidden', 'origin_not_allowed'],
    headers: { 'x-spikegrid-csrf': 'The `csrf_token` of the session.' },
  },
} as const satisfies Endpoints;
