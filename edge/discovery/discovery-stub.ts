import type { BrainRoute } from '../brain/contract/reply.ts';
import type { NodeInfo } from './contract/node.ts';
import { joinInfos } from './contract/node-views.ts';
import { DEFAULT_REGIONS, locationHintOf } from '../geo/contract/known-regions.ts';
import type { Env } from '../env.ts';
import { gatewayOf } from '../gateway/gateway-stub.ts';
import { allows, type Caller } from '../http/caller.ts';
import { holderOf, requireQuota } from '../http/ownership.ts';
import type { Discovery } from './object.ts';
import { directoryOf, nameOf, teamObject } from './directory-stub.ts';
import type { Brain, Shard } from './store.ts';
import type { Remote } from '../storage/remote.ts';

type Bound = Pick<Env, 'DISCOVERY' | 'GATEWAY'>;

/** The object of a brain's part in one region, created near it: its broker and its nodes. */
export function shardObject({ DISCOVERY }: Bound, shard: Shard) {
  const { region } = shard;
  const place = DEFAULT_REGIONS.find(({ region_id: id }) => id === region);
  const near = place && { locationHint: locationHintOf(place) };
  return DISCOVERY.getByName<Discovery>(`${nameOf(shard)}/${region}`, near);
}

/** Brokers that were looked up by this isolate lately, and until when that holds. */
const claimed = new Map<string, number>();
const CLAIMED_MS = 60_000;
const MAX_CLAIMED = 1_000;

/**
 * Checks the broker quotas of a caller and their team before a connection is made.
 *
 * @throws Problem rate_limited
 */
export async function claimBroker(
  env: Bound & Pick<Env, 'QUOTAS'>,
  shard: Shard,
  caller: Caller,
): Promise<void> {
  const owner = holderOf(caller);
  const key = `${owner} ${nameOf(shard)}/${shard.region}`;
  if ((claimed.get(key) ?? 0) > Date.now()) return;
  const counted = allows(caller, 'admin') ? undefined : owner;
  const used = await teamObject(env, shard.team).claimBroker(shard, counted);
  if (used) requireQuota(caller, { quota: 'brokers', used, settings: env.QUOTAS });
  if (claimed.size >= MAX_CLAIMED) claimed.clear();
  claimed.set(key, Date.now() + CLAIMED_MS);
}

/** True if a brain has had clients: a lookup must not create an object of an unknown name. */
const isBrain = async (env: Bound, brain: Brain): Promise<boolean> =>
  gatewayOf(env).hasObject('Discovery', nameOf(brain));

/** The nodes of a brain, in one region or in all of them. */
export async function nodesOf(
  env: Bound,
  brain: Brain,
  region?: string,
): Promise<readonly NodeInfo[]> {
  return joinInfos(await inRegions(env, brain, region, (shard) => shard.nodes()));
}

/** The ways that prompts took through a brain, region after region. */
export async function routesIn(env: Bound, brain: Brain): Promise<readonly BrainRoute[]> {
  return (await inRegions(env, brain, undefined, (shard) => shard.routes())).flat();
}

async function inRegions<T>(
  env: Bound,
  brain: Brain,
  region: string | undefined,
  ask: (shard: Remote<Discovery>) => Promise<T>,
): Promise<readonly T[]> {
  if (!(await isBrain(env, brain))) return [];
  const regions = await directoryOf(env, brain).regions();
  const asked = regions.filter((one) => region === undefined || one === region);
  return Promise.all(asked.map((one) => ask(shardObject(env, { ...brain, region: one }))));
}
