import { type Endpoints, get, post, del } from '../contract/endpoint.ts';
import { IDENTITY_KEYS_PATH, IdentityKeys } from '../contract/identity.ts';
import { Session, SignIn } from './contract/session.ts';

/** Session of a page: who is signed in, sign-in and sign-out. */
export const sessionEndpoints = {
  getSession: get('/api/session', 'public', {
    summary: 'Who the caller is, what he may do, and the CSRF token of his session.',
    responses: { 200: Session },
    problems: ['unauthenticated', 'origin_not_allowed', 'rate_limited'],
  }),
  identityKeys: get(IDENTITY_KEYS_PATH, 'public', {
    summary: 'The public keys with which services verify who calls through the gateway.',
    responses: { 200: IdentityKeys },
  }),
  signIn: post('/api/session', 'public', {
    summary: 'Exchanges an API key for a session cookie.',
    body: SignIn,
    responses: { 201: Session },
    problems: ['unauthenticated', 'origin_not_allowed', 'rate_limited'],
    secret: true,
  }),
  signOut: del('/api/session', 'public', {
    summary: 'Ends the session of the cookie, where there is one.',
    responses: { 204: null },
    problems: ['unauthenticated', 'forbidden', 'origin_not_allowed'],
    headers: { 'x-spikegrid-csrf': 'The `csrf_token` of the session.' },
  }),
} as const satisfies Endpoints;
