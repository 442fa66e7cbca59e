import type { GeoEvent } from './contract/event.ts';
import type { GeoNode, NodeHeartbeatAnswer } from './contract/node.ts';
import type { ActiveRegion, RegionRecord, RegionStatus } from './contract/region.ts';
import type { Refusal } from './failover-plan.ts';

/** A record with what its ETag holds. */
export interface Tagged<T> {
  readonly record: T;
  readonly etag: string;
}

export type Refused = { readonly kind: 'refused'; readonly code: Refusal; readonly why: string };

/** The record has another ETag than the request asks for. */
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
  | { readonly kind: 'others'; readonly speaker: string }
  | { readonly kind: 'done'; readonly answer: NodeHeartbeatAnswer }
  | { readonly kind: 'no-node' }
  | { readonly kind: 'stale'; readonly epoch: number; readonly active: string | null };

export interface NodePage {
  readonly nodes: readonly GeoNode[];
  readonly total: number;
  /** Where the next page starts, or undefined after the last one. */
  readonly next: number | undefined;
}

/** What the gateway needs to know to choose among instances. */
export interface Routing {
  readonly active: string | null;
  readonly epoch: number;
  /** How many nodes there are: without any, nobody looks at the regions. */
  readonly nodes: number;
  readonly regions: Readonly<Record<string, RegionStatus>>;
}

export interface Followed {
  readonly events: readonly GeoEvent[];
  readonly seq: number;
}
