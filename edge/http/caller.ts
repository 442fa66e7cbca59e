import type { Access, Scope } from '../contract/scope.ts';

/** Who sends a request, as far as it matters for what it may do. */
export type Caller =
  | { readonly kind: 'anonymous' }
  /** A person or program at this very machine, where AUTH_MODE is local. */
  | { readonly kind: 'local'; readonly scopes: readonly Scope[] }
  | {
      readonly kind: 'key' | 'token' | 'session';
      /** The id of the key or session, or the subject of the token: what the audit log names. */
      readonly id: string;
      readonly scopes: readonly Scope[];
    };

/** Whether these scopes include what an endpoint asks for. */
export function allows(caller: Caller, access: Access): boolean {
  if (access === 'public') return true;
  if (caller.kind === 'anonymous') return false;
  if (access === 'authenticated' || caller.scopes.includes(access)) return true;
  return access !== 'test:run' && caller.scopes.includes('admin');
}
