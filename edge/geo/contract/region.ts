import * as z from 'zod/mini';
import { Timestamp } from '../../contract/timestamp.ts';

/** A region is named by a DNS label, such as `ap-northeast-1`. */
export const RegionId = z
  .string()
  .check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'expected a lower-case DNS label'));
export type RegionId = z.infer<typeof RegionId>;

/** The maximum number of regions. */
export const MAX_REGIONS = 100;

export const RegionStatus = z.enum(['online', 'offline', 'degraded', 'maintenance', 'unknown']);
export type RegionStatus = z.infer<typeof RegionStatus>;

/** Cloudflare's location hints for objects. */
export const LocationHint = z.enum([
  'wnam',
  'enam',
  'sam',
  'weur',
  'eeur',
  'apac',
  'oc',
  'afr',
  'me',
]);
export type LocationHint = z.infer<typeof LocationHint>;

const Latitude = z.number().check(z.gte(-90), z.lte(90));
const Longitude = z.number().check(z.gte(-180), z.lte(180));

/** In degrees. */
export const Location = z.strictObject({ lat: Latitude, lon: Longitude });
export type Location = z.infer<typeof Location>;

const Name = z
  .string()
  .check(z.minLength(1), z.maxLength(128), z.regex(/^\P{Cc}+$/u, 'expected printable text'));

/** Lower numbers are preferred. */
export const Priority = z.int().check(z.gte(1), z.lte(1000));

/** The body of `POST /api/geo/regions`. */
export const RegionInput = z.strictObject({
  region_id: RegionId,
  display_name: z.optional(Name),
  provider: z.prefault(Name, 'custom'),
  location: Location,
  priority: z.prefault(Priority, 100),
});
export type RegionInput = z.output<typeof RegionInput>;
/** A region as a client sends it. */
export type NewRegion = z.input<typeof RegionInput>;

/** The results of a region's health checks. */
export const RegionHealth = z.object({
  /** False until the first round has a result: an unchecked region is assumed to be online. */
  checked: z.boolean(),
  last_check_at: z.nullable(Timestamp),
  /** Consecutive rounds without a fault. */
  consecutive_up: z.int(),
  /** Consecutive rounds with a fault. */
  consecutive_down: z.int(),
  /** The 95th percentile of its nodes' response times; null where nothing was measured. */
  p95_ms: z.nullable(z.number()),
});
export type RegionHealth = z.infer<typeof RegionHealth>;

export const RegionRecord = z.object({
  region_id: RegionId,
  display_name: z.string(),
  provider: z.string(),
  location: Location,
  latitude: z.number(),
  longitude: z.number(),
  priority: z.int(),
  status: RegionStatus,
  status_since: Timestamp,
  status_reason: z.string(),
  /** Whether its nodes handle new requests. */
  active: z.boolean(),
  node_count: z.int(),
  active_node_count: z.int(),
  health: RegionHealth,
  /** Where its objects are created. */
  location_hint: LocationHint,
  /** When its nodes must have finished their current work; null outside of maintenance. */
  draining_until: z.nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type RegionRecord = z.infer<typeof RegionRecord>;

/** The response of `GET /api/geo/regions`, by priority, then by id. */
export const RegionList = z.object({ regions: z.array(RegionRecord), total: z.int() });
export type RegionList = z.infer<typeof RegionList>;

/** Deletes a region together with its nodes. */
export const RegionDeletion = z.strictObject({
  force: z.prefault(z.enum(['true', 'false']), 'false'),
});

export const RegionDeleted = z.object({ status: z.literal('deleted'), region_id: RegionId });
export type RegionDeleted = z.infer<typeof RegionDeleted>;

/**
 * The body of `PUT /api/geo/regions/{region_id}/status`. `maintenance` drains the region, after a
 * planned failover where it is active; `online` ends the maintenance, and the next round decides.
 */
export const StatusChange = z.strictObject({
  status: z.enum(['maintenance', 'online']),
  reason: z.prefault(z.string().check(z.maxLength(256)), ''),
  /** Begins the maintenance of an active region even where no other can take over. */
  force: z.prefault(z.boolean(), false),
});
export type StatusChange = z.output<typeof StatusChange>;

export const Epoch = z.int().check(z.gte(1));

/** The response of `GET /api/geo/active-region`. `epoch` grows by one with every switch. */
export const ActiveRegion = z.object({
  region_id: RegionId,
  epoch: z.int(),
  since: Timestamp,
  region: RegionRecord,
});
export type ActiveRegion = z.infer<typeof ActiveRegion>;

/** The body of `PUT /api/geo/active-region`. */
export const ActiveRegionChange = z.strictObject({
  region_id: RegionId,
  expected_epoch: z.optional(Epoch),
  /** Accepts a region that is not online. */
  force: z.prefault(z.boolean(), false),
});
export type ActiveRegionChange = z.output<typeof ActiveRegionChange>;

/** The response of `GET /api/geo/status`. */
export const GeoStatus = z.object({
  active_region: z.nullable(RegionId),
  epoch: z.int(),
  total_regions: z.int(),
  total_nodes: z.int(),
  online_regions: z.int(),
  auto_failover: z.boolean(),
  /**
   * `suspect` while more than half of the regions fail in one round: then the monitor is more
   * likely at fault than they are, and nothing is switched.
   */
  monitor: z.enum(['ok', 'suspect']),
  regions: z.record(
    RegionId,
    z.object({ status: RegionStatus, node_count: z.int(), priority: z.int() }),
  ),
});
export type GeoStatus = z.infer<typeof GeoStatus>;
