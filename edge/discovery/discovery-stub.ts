import type { BrainRoute } from '../contract/brain/reply.ts';
import type { NodeInfo } from '../contract/discovery/node.ts';
import { joinInfos } from '../contract/discovery/node-views.ts';
import { DEFAULT_REGIONS } from '../contract/regions.ts';
import type { Env } from '../env.ts';
import { locationHintOf } from '../geo/location-hint.ts';
import type { Discovery } from '../objects/discovery-object.ts';
import type { Shard } from '../objects/discovery-store.ts';
import type { Remote } from '../objects/remote.ts';

type Bound = Pick<Env, 'DISCOVERY'>;

/** The object of a brain's part in one region, created near it: its broker, and the nodes it hears. */
export function shardObject({ DISCOVERY }: Bound, { namespace, region }: Shard) {
  const place = DEFAULT_REGIONS.find(({ region_id: id }) => id === region);
  const near = place && { locationHint: locationHintOf(place) };
  return DISCOVERY.getByName(`${namespace}/${region}`, near);
}

/** Knows in which regions a brain has had nodes. */
export function directoryOf({ DISCOVERY }: Bound, namespace: string): Remote<Discovery> {
  // The runtime's own type of a stub refuses the `unknown` in the metadata of nodes, which is JSON.
  return DISCOVERY.getByName(namespace) as unknown as Remote<Discovery>;
}

/** Knows which brains have had clients, so that asking for another one makes no object of its name. */
export function brainsOf({ DISCOVERY }: Bound): Remote<Discovery> {
  // No brain's name begins with a dot.
  return DISCOVERY.getByName('.brains') as unknown as Remote<Discovery>;
}

/** The nodes of a brain, in one region or in all of them. */
export async function nodesOf(
  env: Bound,
  namespace: string,
  region?: string,
): Promise<readonly NodeInfo[]> {
  return joinInfos(await inRegions(env, { namespace, region }, (shard) => shard.nodes()));
}

/** The ways that prompts took through a brain, region after region. */
export async function routesIn(env: Bound, namespace: string): Promise<readonly BrainRoute[]> {
  return (await inRegions(env, { namespace }, (shard) => shard.routes())).flat();
}

async function inRegions<T>(
  env: Bound,
  { namespace, region }: { readonly namespace: string; readonly region?: string | undefined },
  ask: (shard: Remote<Discovery>) => Promise<T>,
): Promise<readonly T[]> {
  if (!(await brainsOf(env).hasBrain(namespace))) return [];
  const regions = await directoryOf(env, namespace).regions();
  const asked = regions.filter((one) => region === undefined || one === region);
  return Promise.all(
    asked.map((one) =>
      ask(shardObject(env, { namespace, region: one }) as unknown as Remote<Discovery>),
    ),
  );
}
