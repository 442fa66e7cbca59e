import type { ServiceDefinition } from './registration.ts';
import { preconditionOf } from '../http/conditional.ts';

/** More services than this are taken for a fault of whoever registers them. */
const MOST_SERVICES = 500;
/** A service that is not renewed is critical after its ttl and removed after so many of them. */
const TTLS_KEPT = 3;

/** A registered service; times in epoch milliseconds. */
export interface Registered {
  readonly definition: ServiceDefinition;
  /** Changes with the definition; what its ETag holds. */
  readonly revision: string;
  readonly registeredAt: number;
  readonly updatedAt: number;
  readonly renewedAt: number;
}

export interface Asked {
  readonly definition: ServiceDefinition;
  readonly ifMatch: string | null;
  /** The revision to give to what is new. */
  readonly revision: string;
  readonly now: number;
  /** How many services are registered already. */
  readonly count: number;
}

export type Registering =
  | { readonly kind: 'created' | 'updated' | 'renewed'; readonly service: Registered }
  | { readonly kind: 'precondition-failed' }
  | { readonly kind: 'full' };

/**
 *   nothing --register--> registered --register, other content--> registered, a new revision
 *                              | \--register, same content--> registered, renewed
 *                              |---ttl without renewal--> critical ---3 ttl--> nothing
 */
export function decideRegister(stored: Registered | undefined, asked: Asked): Registering {
  const { definition, revision, now } = asked;
  if (!holds(asked.ifMatch, stored)) return { kind: 'precondition-failed' };
  const fresh = { definition, revision, updatedAt: now, renewedAt: now };
  if (!stored) {
    if (asked.count >= MOST_SERVICES) return { kind: 'full' };
    return { kind: 'created', service: { ...fresh, registeredAt: now } };
  }
  if (JSON.stringify(stored.definition) === JSON.stringify(definition)) {
    return { kind: 'renewed', service: { ...stored, renewedAt: now } };
  }
  return { kind: 'updated', service: { ...fresh, registeredAt: stored.registeredAt } };
}

export type Removing = 'removed' | 'absent' | 'precondition-failed';

export function decideRemove(stored: Registered | undefined, ifMatch: string | null): Removing {
  if (!stored) return 'absent';
  return holds(ifMatch, stored) ? 'removed' : 'precondition-failed';
}

export const etagOf = ({ revision }: Pick<Registered, 'revision'>): string => `"${revision}"`;

/** If-Match holds for no record where there is none (RFC 9110, section 13.1.1). */
function holds(ifMatch: string | null, stored: Registered | undefined): boolean {
  if (ifMatch === null) return true;
  if (!stored) return false;
  return preconditionOf(new Headers({ 'if-match': ifMatch }), etagOf(stored)) !== 'failed';
}

/** When a service turns critical unless it is renewed, in epoch milliseconds. */
export function expiryOf({ definition, renewedAt }: Registered): number | undefined {
  return definition.ttl_s === null ? undefined : renewedAt + definition.ttl_s * 1000;
}

export function removalOf({ definition, renewedAt }: Registered): number | undefined {
  return definition.ttl_s === null ? undefined : renewedAt + definition.ttl_s * 1000 * TTLS_KEPT;
}
