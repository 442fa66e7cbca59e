import type { GeoEvent } from './contract/event.ts';
import type { GeoNode, NodeHeartbeatAnswer } from './contract/node.ts';
import type { ActiveRegion, RegionRecord, RegionStatus } from './contract/region.ts';
import type { Health } from './region-health.ts';

/** The properties of a region at its creation. */
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
  /** When its nodes must have finished their current work; null outside of maintenance. */
  readonly drainUntil: number | null;
  /** Counts its changes, for its ETag. */
  readonly revision: number;
  readonly updatedAt: number;
}

/** All decisions about regions. Times are epoch milliseconds. */
export interface GeoState {
  readonly regions: ReadonlyMap<string, RegionState>;
  /** The region whose nodes handle new requests; null only where there is no region at all. */
  readonly active: string | null;
  /** Grows by one with every switch of the active region, and never shrinks. */
  readonly epoch: number;
  readonly activeSince: number;
  readonly lastAutomaticAt: number | null;
  /** Since when more than half of the regions have failed at once; null where they do not. */
  readonly suspectSince: number | null;
  /** The outage recorded as one that no region can take over. */
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

/** The state with one of its regions replaced. */
export function withRegion(state: GeoState, changed: RegionState): GeoState {
  const regions = new Map(state.regions);
  regions.set(changed.region.region_id, changed);
  return { ...state, regions };
}

/** The order of regions: the lowest priority, then the id. */
export const byPriority = (a: RegionState, b: RegionState): number =>
  a.region.priority - b.region.priority || (a.region.region_id < b.region.region_id ? -1 : 1);

/** A record with its ETag. */
interface Tagged<T> {
  readonly record: T;
  readonly etag: string;
}

type Refusal = 'region_not_found' | 'region_active' | 'target_not_online' | 'stale_epoch';

/** Why a failover is refused, by a code for programs and a text for people. */
export interface FailoverRefusal {
  readonly code: Refusal;
  readonly why: string;
}

export type Refused = { readonly kind: 'refused' } & FailoverRefusal;

/** The record has another ETag than the request expects. */
export type Changed = { readonly kind: 'changed'; readonly etag: string };

export type RegionResult =
  | ({ readonly kind: 'done' } & Tagged<RegionRecord>)
  | { readonly kind: 'exists' | 'full' | 'no-region' }
  | Changed
  | Refused;

export type RemoveRegionResult =
  | { readonly kind: 'done' | 'no-region' | 'active' }
  | { readonly kind: 'not-empty'; readonly nodes: number }
  | Changed;

export type ActiveResult =
  | ({ readonly kind: 'done'; readonly isSwitched: boolean } & Tagged<ActiveRegion>)
  | Changed
  | Refused;

export type NodeResult =
  | { readonly kind: 'done'; readonly node: GeoNode }
  | { readonly kind: 'exists' | 'full' | 'no-region' };

export type HeartbeatResult =
  /** Another key sends its heartbeats. */
  | { readonly kind: 'others'; readonly sender: string }
  | { readonly kind: 'done'; readonly answer: NodeHeartbeatAnswer }
  | { readonly kind: 'no-node' }
  | { readonly kind: 'stale'; readonly epoch: number; readonly active: string | null };

export interface NodePage {
  readonly nodes: readonly GeoNode[];
  readonly total: number;
  /** The start of the next page; undefined after the last one. */
  readonly next: number | undefined;
}

/** The state the gateway needs to choose among instances. */
export interface Routing {
  readonly active: string | null;
  readonly epoch: number;
  /** The number of nodes: without any, regions are not monitored. */
  readonly nodes: number;
  readonly regions: Readonly<Record<string, RegionStatus>>;
}

export interface EventsSince {
  readonly events: readonly GeoEvent[];
  readonly seq: number;
}
