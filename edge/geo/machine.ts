import type { RegionStatus } from './contract/region.ts';
import {
  afterNodesChanged,
  afterSilenceOfMonitor,
  beginMaintenance,
  endMaintenance,
  type Evidence,
  type Health,
  isFailing,
  LOST_AFTER_MS,
  newHealth,
  observe,
} from './region-health.ts';
import { type GeoState, type Region, type RegionState, withRegion } from './state.ts';

/** The minimum interval between automatic failovers. */
export const COOL_DOWN_MS = 60_000;
/** The time for the nodes of a region in maintenance to finish their current work. */
const DRAIN_MS = 300_000;
/** Where more than this fraction of regions fails at once, the monitor itself is suspected. */
const SUSPECT_SHARE = 0.5;

export interface StatusChanged {
  readonly regionId: string;
  readonly from: RegionStatus;
  readonly to: RegionStatus;
  readonly reason: string;
}

export interface Stepped {
  readonly state: GeoState;
  readonly changes: readonly StatusChanged[];
}

export type Observations = ReadonlyMap<string, readonly Evidence[]>;

/** Applies the observations of one second for all regions. */
export function step(state: GeoState, observations: Observations, now: number): Stepped {
  const found = [...state.regions.values()].map((before) => {
    const own = observations.get(before.region.region_id) ?? [];
    const after = own.reduce(
      (health, observation) => observe(health, observation, now),
      before.health,
    );
    return { before, after, isFailing: isFailing(after, own), isWatched: own.length > 0 };
  });
  const isSuspect = isMonitorSuspect(found, now);
  const changed = found.map(({ before, after, ...observation }): RegionState => {
    const isHeld = isSuspect && observation.isFailing && before.health.status !== 'offline';
    const health = isHeld ? held(before.health, after) : after;
    return changedTo(before, afterSilenceOfMonitor(health, now), now);
  });
  const suspectSince = isSuspect ? (state.suspectSince ?? now) : null;
  const regions = new Map(changed.map((one) => [one.region.region_id, one]));
  const isDown = regions.get(state.active ?? '')?.health.status === 'offline';
  return {
    state: { ...state, regions, suspectSince, givenUp: isDown ? state.givenUp : null },
    changes: changesBetween(state.regions, regions),
  };
}

/** A region with another health: a new status is a new revision. */
function changedTo(before: RegionState, health: Health, now: number): RegionState {
  return health.status === before.health.status
    ? { ...before, health }
    : withHealth(before, health, now);
}

const withHealth = (before: RegionState, health: Health, now: number): RegionState => ({
  ...before,
  health,
  revision: before.revision + 1,
  updatedAt: now,
});

/**
 * Observations are counted but change no status: a monitor that finds most of the world down may be
 * down itself.
 */
const held = (before: Health, after: Health): Health => ({
  ...before,
  heartbeats: after.heartbeats,
  probes: after.probes,
  silentChecks: after.silentChecks,
  cleanSince: after.cleanSince,
});

interface Found {
  readonly before: RegionState;
  readonly isFailing: boolean;
  readonly isWatched: boolean;
}

/** A single region offers no comparison to judge the monitor by. */
function isMonitorSuspect(found: readonly Found[], now: number): boolean {
  const counting = found.filter(({ before: { health }, isWatched }) => {
    const isSeen = isWatched || now - (health.lastCheckAt ?? -Infinity) < LOST_AFTER_MS;
    return isSeen && health.status !== 'offline' && health.status !== 'maintenance';
  });
  const failing = counting.filter((one) => one.isFailing).length;
  return counting.length > 1 && failing > counting.length * SUSPECT_SHARE;
}

function changesBetween(
  before: GeoState['regions'],
  after: GeoState['regions'],
): readonly StatusChanged[] {
  return [...after].flatMap(([regionId, { health }]) => {
    const from = before.get(regionId)?.health.status ?? health.status;
    return from === health.status
      ? []
      : [{ regionId, from, to: health.status, reason: health.reason }];
  });
}

/** Adds a region; the first one becomes active. */
export function addRegion(state: GeoState, region: Region, now: number): GeoState {
  const added = withRegion(state, {
    region,
    health: newHealth(now),
    drainUntil: null,
    revision: 1,
    updatedAt: now,
  });
  if (state.active !== null) return added;
  return { ...added, active: region.region_id, epoch: state.epoch + 1, activeSince: now };
}

/** The state of a new platform: the region with the lowest priority is active. */
export function begin(state: GeoState, regions: readonly Region[], now: number): GeoState {
  return regions
    .toSorted((a, b) => a.priority - b.priority)
    .reduce((sum, region) => addRegion(sum, region, now), state);
}

export function removeRegion(state: GeoState, regionId: string): GeoState {
  const regions = new Map(state.regions);
  regions.delete(regionId);
  return { ...state, regions };
}

/** Drains a region; the caller has moved the active role away from it, or was forced not to. */
export function startMaintenance(
  state: GeoState,
  region: RegionState,
  reason: string,
  now: number,
): Stepped {
  const why = reason === '' ? 'an operator began the maintenance' : reason;
  const maintained = changedTo(region, beginMaintenance(region.health, why, now), now);
  return stepped(state, { ...maintained, drainUntil: now + DRAIN_MS });
}

/** @param hasNodes whether there will be rounds that can decide its status */
export function stopMaintenance(
  state: GeoState,
  region: RegionState,
  hasNodes: boolean,
  now: number,
): Stepped {
  const ended = changedTo(region, endMaintenance(region.health, hasNodes, now), now);
  return stepped(state, { ...ended, drainUntil: null });
}

function stepped(state: GeoState, changed: RegionState): Stepped {
  const next = withRegion(state, changed);
  return { state: next, changes: changesBetween(state.regions, next.regions) };
}

/** Updates regions according to which of them have nodes now. */
export function noteNodes(
  state: GeoState,
  hasNodes: (regionId: string) => boolean,
  now: number,
): Stepped {
  const regions = new Map(
    [...state.regions].map(([id, before]) => {
      const health = afterNodesChanged(before.health, hasNodes(id), now);
      return [id, health === before.health ? before : withHealth(before, health, now)];
    }),
  );
  return { state: { ...state, regions }, changes: changesBetween(state.regions, regions) };
}

export interface Due {
  readonly from: string;
  readonly detectedAt: number;
  readonly reason: string;
  /** Whether this one has to wait because the last automatic failover was too recent. */
  readonly isTooSoon: boolean;
}

/** The automatic failover that is due: the active region is offline, and the monitor is trusted. */
export function failoverDue(state: GeoState, now: number): Due | undefined {
  const health = state.active === null ? undefined : state.regions.get(state.active)?.health;
  if (state.active === null || health?.status !== 'offline') return undefined;
  if (state.suspectSince !== null) return undefined;
  const isTooSoon = now - (state.lastAutomaticAt ?? -Infinity) < COOL_DOWN_MS;
  return { from: state.active, detectedAt: health.since, reason: health.reason, isTooSoon };
}

/** Identifies an outage, so that it is recorded as unrecoverable only once. */
export const outageOf = ({ from, detectedAt }: Pick<Due, 'from' | 'detectedAt'>): string =>
  `${from}@${detectedAt}`;

interface Switch {
  readonly to: string;
  /** The epoch in which the switch was planned. */
  readonly epoch: number;
  readonly isAutomatic: boolean;
  /** Whether a target that is not online is acceptable; one in maintenance never is. */
  readonly isForced?: boolean;
}

type Switched =
  | { readonly kind: 'switched'; readonly state: GeoState }
  /** Another switch came first. */
  | { readonly kind: 'stale'; readonly epoch: number }
  /** The target's status has changed since the plan. */
  | { readonly kind: 'unfit'; readonly why: string };

/** Makes a region the active one, in the epoch after that of the plan. */
export function switchTo(state: GeoState, asked: Switch, now: number): Switched {
  if (state.epoch !== asked.epoch) return { kind: 'stale', epoch: state.epoch };
  const status = state.regions.get(asked.to)?.health.status;
  const isFit = status === 'online' || (asked.isForced === true && status !== 'maintenance');
  if (status === undefined || !isFit) {
    return { kind: 'unfit', why: `${asked.to} is ${status ?? 'gone'} by now` };
  }
  const roles = [state.active, asked.to].flatMap((id) => state.regions.get(id ?? '') ?? []);
  const renewed = roles.map((one) => ({ ...one, revision: one.revision + 1, updatedAt: now }));
  return {
    kind: 'switched',
    state: {
      ...renewed.reduce(withRegion, state),
      active: asked.to,
      epoch: state.epoch + 1,
      activeSince: now,
      lastAutomaticAt: asked.isAutomatic ? now : state.lastAutomaticAt,
      givenUp: null,
    },
  };
}
