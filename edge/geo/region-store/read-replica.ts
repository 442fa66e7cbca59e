import type { Digest } from '../../contract/digest.ts';
import type { Env } from '../../env.ts';
import { bucketOf, replicaKey } from '../config.ts';
import type { RegionId } from '../contract/region.ts';
import { geoOf } from '../geo-stub.ts';

/** The bytes of a copy, and its region. */
interface ReplicaBytes {
  readonly regionId: RegionId;
  readonly body: ReadableStream;
}

/** A region's copy of a file, where it has one. */
export async function readReplica(
  env: Env,
  regionId: RegionId,
  digest: Digest,
  part: R2GetOptions | undefined,
): Promise<ReplicaBytes | undefined> {
  const object = await bucketOf(env, regionId).get(replicaKey(regionId, digest), part);
  return object ? { regionId, body: object.body } : undefined;
}

/**
 * The copy of any region, that of the active one first, for bytes that exist nowhere else any more.
 */
export async function readAnyReplica(
  env: Env,
  digest: Digest,
  part: R2GetOptions | undefined,
): Promise<ReplicaBytes | undefined> {
  const { active, regions } = await geoOf(env).routing();
  const ids = Object.keys(regions).toSorted((a, b) => Number(b === active) - Number(a === active));
  for (const id of ids) {
    const found = await readReplica(env, id, digest, part);
    if (found) return found;
  }
  return undefined;
}
