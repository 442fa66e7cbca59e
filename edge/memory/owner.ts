import { accessOf } from '../access/access-stub.ts';
import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Env } from '../env.ts';
import { allows, type Caller } from '../http/caller.ts';
import { holderOf, teamOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';

/** A namespace with its owner: together they name one object. */
export interface Place {
  readonly owner: string;
  readonly namespace: string;
}

/** A namespace as requested: the caller's own where no owner is named. */
export interface AskedPlace {
  readonly namespace: string;
  readonly owner?: string | undefined;
}

/** The caller whose access is decided. */
interface Asking {
  readonly env: Pick<Env, 'ACCESS'>;
  readonly caller: Caller;
}

/** The namespace a caller means. @throws Problem forbidden, as `ownerMeant` does */
export async function placeOf(asking: Asking, { namespace, owner }: AskedPlace): Promise<Place> {
  return { owner: await ownerMeant(asking, owner), namespace };
}

/** The owner whose namespaces a caller lists; undefined for all. @throws Problem forbidden */
export async function ownersListed(
  asking: Asking,
  owner: string | undefined,
): Promise<string | undefined> {
  const ofAll = owner === undefined && allows(asking.caller, 'admin');
  return ofAll ? undefined : ownerMeant(asking, owner);
}

/**
 * The owner a caller means: itself where none is named. Others can be named by administrators
 * and, where they are keys of the same team, by those of the team.
 *
 * @throws Problem forbidden, which does not reveal whether the owner exists
 */
export async function ownerMeant(
  { env, caller }: Asking,
  owner: string | undefined,
): Promise<string> {
  const own = holderOf(caller);
  if (owner === undefined || owner === own || allows(caller, 'admin')) return owner ?? own;
  if (!allows(caller, 'team:admin')) {
    throw new Problem(
      'forbidden',
      'owner: what others have is reached with the scope team:admin, or admin for other teams.',
      { members: { missing_scope: 'team:admin' } },
    );
  }
  if ((await teamOfOwner(env, owner)) === teamOf(caller)) return owner;
  throw new Problem(
    'forbidden',
    `owner: ${JSON.stringify(owner.slice(0, 64))} is no key of your team.`,
  );
}

/** The team of an owner; undefined where that is no key of ours, as tokens state their own. */
export async function teamOfOwner(
  env: Pick<Env, 'ACCESS'>,
  owner: string,
): Promise<string | undefined> {
  if (owner === 'local') return DEFAULT_TEAM;
  const [, keyId] = /^key:(.+)$/u.exec(owner) ?? [];
  return keyId === undefined ? undefined : accessOf(env).teamOf(keyId);
}
