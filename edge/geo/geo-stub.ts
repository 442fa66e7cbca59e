import type { RegionId } from './contract/region.ts';
import { locationHintOf, type Place } from './contract/known-regions.ts';
import type { Env } from '../env.ts';
import type { Geo } from './object.ts';
import type { RegionStore } from './region-store/object.ts';
import type { Remote } from '../storage/remote.ts';
import { geoConfigOf } from './config.ts';

/** One object decides which region is active: two could decide otherwise. */
export function geoOf(env: Pick<Env, 'GEO' | 'GEO_NODE_MANAGER'>): Remote<Geo> {
  return env.GEO.getByName(geoConfigOf(env).state_file) as unknown as Remote<Geo>;
}

/** The store of a region, created near it. */
export function regionStoreOf(
  { REGION_STORES }: Pick<Env, 'REGION_STORES'>,
  region: Place & { readonly region_id: RegionId },
): Remote<RegionStore> {
  const locationHint = locationHintOf(region);
  return REGION_STORES.getByName(region.region_id, {
    locationHint,
  }) as unknown as Remote<RegionStore>;
}
