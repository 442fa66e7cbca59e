import { allows, type Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';

/** A namespace and whose it is: together they name one object. */
export interface Place {
  readonly owner: string;
  readonly namespace: string;
}

/** A place as it is asked for: one's own where nobody else is named. */
export interface AskedPlace {
  readonly namespace: string;
  readonly owner?: string | undefined;
}

/** Who owns what a caller stores. The sessions of a key and the key itself are one. */
export function ownerOf(caller: Caller): string {
  if (!('id' in caller)) return 'local';
  return `${caller.kind === 'token' ? 'token' : 'key'}:${caller.id}`;
}

/**
 * The place a caller means. Another's namespace is reached by administrators alone, and only where
 * they name its owner.
 *
 * @throws Problem forbidden
 */
export function placeOf(caller: Caller, { namespace, owner }: AskedPlace): Place {
  return { owner: namedOwner(caller, owner) ?? ownerOf(caller), namespace };
}

/** Whose namespaces a caller asks for; undefined for those of all. @throws Problem forbidden */
export function ownersListed(caller: Caller, owner: string | undefined): string | undefined {
  const isAdmin = allows(caller, 'admin');
  return namedOwner(caller, owner) ?? (isAdmin ? undefined : ownerOf(caller));
}

function namedOwner(caller: Caller, owner: string | undefined): string | undefined {
  if (owner === undefined || owner === ownerOf(caller) || allows(caller, 'admin')) return owner;
  throw new Problem('forbidden', 'owner: only administrators look into the memories of others.');
}
