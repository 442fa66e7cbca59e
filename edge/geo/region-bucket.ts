import type { Digest } from '../contract/digest.ts';
import type { RegionId } from './contract/region.ts';
import type { Env } from '../env.ts';
import { geoConfigOf } from './config.ts';

/**
 * The bucket in which a region keeps its copies: its own where GEO_NODE_MANAGER names one under
 * `region_buckets`, else the one of all.
 *
 * @throws TypeError where the name binds no bucket
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

/** Copies are named by what is in them: versions that share a file share its copy. */
export const replicaKey = (regionId: RegionId, digest: Digest): string =>
  `regions/${regionId}/${digest.slice('sha256:'.length)}`;
