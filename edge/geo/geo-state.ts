import type { Health } from './region-health.ts';

/** What is said of a region when it is made. */
export interface Region {
  readonly region_id: string;
  readonly display_name: string;
  readonly provider: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly priority: number;
  readonly createdAt: number;
}

export interface RegionState {
  readonly region: Region;
  readonly health: Health;
  /** Until when its nodes finish what they have begun; null outside of maintenance. */
  readonly drainUntil: number | null;
  /** Counts the changes that its ETag tells. */
  readonly revision: number;
  readonly updatedAt: number;
}

/** All that is decided about regions. Times are epoch milliseconds. */
export interface GeoState {
  readonly regions: ReadonlyMap<string, RegionState>;
  /** The region whose nodes handle new requests; null only where there is no region at all. */
  readonly active: string | null;
  /** Grows by one with every switch of the active region, and never shrinks. */
  readonly epoch: number;
  readonly activeSince: number;
  readonly lastAutomaticAt: number | null;
  /** Since when more than half of the regions fail at once; null where they do not. */
  readonly suspectSince: number | null;
  /** The outage for which it was recorded that no region can take over. */
  readonly givenUp: string | null;
}

export const NO_REGIONS: GeoState = {
  regions: new Map(),
  active: null,
  epoch: 0,
  activeSince: 0,
  lastAutomaticAt: null,
  suspectSince: null,
  givenUp: null,
};

/** The state with one of its regions changed. */
export function withRegion(state: GeoState, changed: RegionState): GeoState {
  const regions = new Map(state.regions);
  regions.set(changed.region.region_id, changed);
  return { ...state, regions };
}

/** Which regions stand before others: the lowest priority, then the id. */
export const byPriority = (a: RegionState, b: RegionState): number =>
  a.region.priority - b.region.priority || (a.region.region_id < b.region.region_id ? -1 : 1);
