import type { Digest } from '../contract/digest.ts';
import type { Env } from '../env.ts';
import { type GeoConfig, parseGeoConfig } from './contract/config.ts';
import type { RegionId } from './contract/region.ts';
import { DEFAULT_REGIONS } from './contract/known-regions.ts';
import { parsedOnce } from '../gateway/parsed-setting.ts';
import type { Region } from './state.ts';

const parsed = parsedOnce(parseGeoConfig);

export const geoConfigOf = ({ GEO_NODE_MANAGER }: { GEO_NODE_MANAGER: unknown }): GeoConfig =>
  parsed(GEO_NODE_MANAGER);

/** The regions a new platform starts with. */
export function defaultRegionsOf({ default_regions }: GeoConfig, now: number): readonly Region[] {
  return default_regions.map(({ id, priority, location, ...named }) => {
    const known = knownRegion(id) ?? { display_name: id, provider: 'custom' };
    const place = location && { latitude: location.lat, longitude: location.lon };
    return {
      region_id: id,
      latitude: 0,
      longitude: 0,
      ...known,
      ...place,
      display_name: named.display_name ?? known.display_name,
      provider: named.provider ?? known.provider,
      priority,
      createdAt: now,
    };
  });
}

function knownRegion(id: string) {
  const known = DEFAULT_REGIONS.find(({ region_id }) => region_id === id);
  return known && { ...known, provider: 'aws' };
}

/**
 * The bucket for a region's copies: its own where GEO_NODE_MANAGER names one under
 * `region_buckets`, else the shared one.
 *
 * @throws TypeError where no bucket is bound to the name
 */
export function bucketOf(env: Env, regionId: RegionId): R2Bucket {
  const binding = geoConfigOf(env).region_buckets[regionId];
  if (binding === undefined) return env.FILES;
  const bucket = Reflect.get(env, binding) as R2Bucket | undefined;
  if (bucket) return bucket;
  throw new TypeError(
    `GEO_NODE_MANAGER.region_buckets.${regionId}: expected the binding of a bucket (got "${binding}")`,
  );
}

/** Copies are named by their content: versions that share a file share its copy. */
export const replicaKey = (regionId: RegionId, digest: Digest): string =>
  `regions/${regionId}/${digest.slice('sha256:'.length)}`;
