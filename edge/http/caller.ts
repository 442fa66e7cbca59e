import type { Access, Scope } from '../contract/scope.ts';

/** The authenticated sender of a request. */
export type Caller =
  | { readonly kind: 'anonymous' }
  /** A person or program at this very machine, where AUTH_MODE is local. */
  | { readonly kind: 'local'; readonly team: string; readonly scopes: readonly Scope[] }
  | ({ readonly kind: 'key' | 'token' } & Credentialed)
  | ({ readonly kind: 'session'; readonly sessionId: string } & Credentialed);

interface Credentialed {
  /** The id of the key, also where a session was made with it, or the subject of the token. */
  readonly id: string;
  readonly team: string;
  readonly scopes: readonly Scope[];
  /** When what was presented ends by itself, in epoch milliseconds; null where it does not. */
  readonly until: number | null;
}

/** True if these scopes grant access to an endpoint. */
export function allows(caller: Caller, access: Access): boolean {
  if (access === 'public') return true;
  if (caller.kind === 'anonymous') return false;
  if (access === 'authenticated' || caller.scopes.includes(access)) return true;
  return access !== 'test:run' && caller.scopes.includes('admin');
}

/** True if the caller's credentials have expired. */
export const hasEnded = (caller: Caller, now: number): boolean =>
  'until' in caller && caller.until !== null && caller.until <= now;
