import type { RegionStatus } from './contract/region.ts';
import type { Routing } from './results.ts';

/** Regions whose nodes are given new requests. */
const SERVING: ReadonlySet<RegionStatus> = new Set(['online', 'degraded', 'unknown']);

interface Placed {
  readonly region_id: string | null;
}

export interface Placement<I> {
  /** Whose instances come first; null where none does. */
  readonly regionId: string | null;
  readonly instances: readonly I[];
}

/**
 * Where a request goes by the state of the regions: instances of a region that is offline or drains
 * are left out, while there are others. Those of the caller's region come first; where he is in none,
 * or in one that does not serve, those of the active region do.
 */
export function placeRequest<I extends Placed>(
  instances: readonly I[],
  callerRegion: string | null,
  { active, regions }: Routing,
): Placement<I> {
  // A region that nobody told us of is not ours to judge.
  const serves = (id: string) => SERVING.has(regions[id] ?? 'online');
  const open = instances.filter(({ region_id }) => region_id === null || serves(region_id));
  const isNear = callerRegion !== null && serves(callerRegion);
  return {
    regionId: isNear ? callerRegion : active,
    instances: open.length > 0 ? open : instances,
  };
}
