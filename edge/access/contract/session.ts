import * as z from 'zod/mini';
import { Scope } from '../../contract/scope.ts';
import { Team } from '../../contract/team.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** The header with the session's `csrf_token`, for unsafe requests with a session cookie. */
export const CSRF_HEADER = 'x-spikegrid-csrf';

/**
 * The request to sign in with an API key, which is exchanged for a cookie that scripts cannot read.
 */
export const SignIn = z.strictObject({ key: z.string().check(z.minLength(1), z.maxLength(256)) });
export type SignIn = z.infer<typeof SignIn>;

export const CallerKind = z.enum(['anonymous', 'local', 'key', 'token', 'session']);
export type CallerKind = z.infer<typeof CallerKind>;

/** The response of `GET /api/session`: the caller and its scopes. */
export const Session = z.object({
  /**
   * `local`: this machine needs no credentials. `required`: an `anonymous` caller has to sign in.
   */
  auth_mode: z.enum(['local', 'required']),
  kind: CallerKind,
  /** The id of the key or the subject of the token; null for anonymous and local callers. */
  id: z.nullable(z.string()),
  /** The team of the caller; null for anonymous ones. */
  team: z.nullable(Team),
  scopes: z.array(Scope),
  /** Set for callers with a session cookie. */
  csrf_token: z.nullable(z.string()),
  expires_at: z.nullable(Timestamp),
});
export type Session = z.infer<typeof Session>;

/** The response of `POST /ws/tickets`: valid for one WebSocket, as `?ticket=`, for 30 seconds. */
export const Ticket = z.object({ ticket: z.string(), expires_at: Timestamp });
export type Ticket = z.infer<typeof Ticket>;
