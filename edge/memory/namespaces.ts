import { accessOf } from '../access/access-stub.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { holderOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { DEFAULT_MEMORY_NAMESPACE } from './contract/memory.ts';
import { directoryOf } from './memory-stub.ts';
import { type AskedPlace, type Place, placeOf } from './owner.ts';

/** Whether an owner exists: no object is created for a name that was only asked for. */
export async function isOwner(
  env: Pick<Env, 'ACCESS' | 'MEMORY_DIRECTORY'>,
  owner: string,
): Promise<boolean> {
  const [, keyId] = /^key:(.*)$/.exec(owner) ?? [];
  if (keyId !== undefined) return accessOf(env).hasKey(keyId);
  if (owner === 'local') return true;
  const { namespaces } = await directoryOf(env).list({
    owner,
    limit: 1,
    before: Number.MAX_SAFE_INTEGER,
  });
  return namespaces.length > 0;
}

/**
 * The namespace of a request. Another owner's looks as if it did not exist.
 *
 * @throws Problem forbidden, or namespace_not_found where nothing was ever stored in it; the
 * caller's own default namespace always exists
 */
export async function knownPlace(
  { env, caller }: Pick<Call<Env>, 'env' | 'caller'>,
  asked: AskedPlace,
): Promise<Place> {
  const place = await placeOf({ env, caller }, asked);
  const isOwn = place.owner === holderOf(caller);
  if (isOwn && place.namespace === DEFAULT_MEMORY_NAMESPACE) return place;
  if (await directoryOf(env).has(place)) return place;
  const whose = isOwn ? '' : ` of ${place.owner}`;
  throw new Problem(
    'namespace_not_found',
    `There is no namespace ${JSON.stringify(place.namespace)}${whose}: nothing was stored in it.`,
  );
}
