import type { RegionId } from './contract/region.ts';
import type { Place } from './contract/known-regions.ts';
import type { Env } from '../env.ts';
import type { Remote } from '../storage/remote.ts';
import { locationHintOf } from './contract/known-regions.ts';
import type { RegionStore } from './region-store/object.ts';

/** The store of a region, created near it. */
export function regionStoreOf(
  { REGION_STORES }: Pick<Env, 'REGION_STORES'>,
  region: Place & { readonly region_id: RegionId },
): Remote<RegionStore> {
  return REGION_STORES.getByName<RegionStore>(region.region_id, {
    locationHint: locationHintOf(region),
  });
}
