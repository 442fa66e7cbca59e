import type { Env } from '../env.ts';
import { allows, type Caller } from '../http/caller.ts';
import { holderOf, quotaRefusal, teamOf } from '../http/ownership.ts';
import type { Holding } from './directory-object.ts';
import { holdingsOf, withMemory } from './memory-stub.ts';
import { type Place, teamOfOwner } from './owner.ts';

/** The team of an owner, and whether quotas apply. */
export interface Bounds {
  readonly team: string;
  readonly isBound: boolean;
}

type Bound = Pick<Env, 'MEMORY' | 'MEMORY_DIRECTORY' | 'QUOTAS'>;

/** The number of an owner's namespaces to recount before a refusal. */
const MAX_RECOUNTED = 100;

export const boundsOf = (caller: Caller): Bounds => ({
  team: teamOf(caller),
  isBound: !allows(caller, 'admin'),
});

/** The bounds of background work for an owner. */
export const boundsOfOwner = (owner: string, team: string): Bounds => ({
  team,
  isBound: owner !== 'local',
});

const holdingOf = ({ owner, namespace }: Place): Holding => ({
  kind: 'memories',
  owner,
  place: namespace,
});

/**
 * Reserves room for more memories of an owner. Namespaces are recounted before a refusal, as
 * memories may have expired meanwhile.
 *
 * @throws Problem quota_exceeded
 */
export async function claimMemories(
  env: Bound,
  place: Place & Bounds,
  adding: number,
): Promise<void> {
  const { team, isBound, owner } = place;
  if (!isBound) return;
  const holdings = holdingsOf(env, team);
  const claim = { ...holdingOf(place), team, adding };
  if (!(await holdings.claim(claim))) return;
  for (const namespace of await holdings.places('memories', owner, MAX_RECOUNTED)) {
    await reportMemories(env, { owner, namespace, team });
  }
  const used = await holdings.claim(claim);
  const demand = { quota: 'memories', adding, settings: env.QUOTAS } as const;
  const refusal = used && quotaRefusal(team, { ...demand, used });
  if (refusal) throw refusal;
}

/** Reports the number of memories in a namespace; `memories` where it is known. */
export async function reportMemories(
  env: Bound,
  place: Place & Pick<Bounds, 'team'>,
  memories?: number,
): Promise<void> {
  const count = memories ?? (await withMemory(env, place, (memory) => memory.count()));
  await holdingsOf(env, place.team).setCount(holdingOf(place), count);
}

interface Calling {
  readonly env: Bound & Pick<Env, 'ACCESS'>;
  readonly caller: Caller;
}

/** The same after a deletion by a caller, who may be an administrator of another team. */
export async function reportHoldings(
  { env, caller }: Calling,
  place: Place,
  memories?: number,
): Promise<void> {
  const isOwn = place.owner === holderOf(caller);
  const team = isOwn ? teamOf(caller) : await teamOfOwner(env, place.owner);
  const isCounted = !(isOwn && allows(caller, 'admin')) && place.owner !== 'local';
  if (team !== undefined && isCounted) await reportMemories(env, { ...place, team }, memories);
}
