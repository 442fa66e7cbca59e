import * as z from 'zod/mini';
import { Location, Priority, RegionId } from './region.ts';
import { parseBody } from '../../contract/parse.ts';
import { Problem } from '../../contract/refusal.ts';
import { DEFAULT_REGIONS } from './known-regions.ts';

const isKnown = (id: string) => DEFAULT_REGIONS.some(({ region_id }) => region_id === id);

/** A default region; one that is not among the known regions states its location. */
const DefaultRegion = z
  .strictObject({
    id: RegionId,
    priority: Priority,
    display_name: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    provider: z.optional(z.string().check(z.minLength(1), z.maxLength(128))),
    location: z.optional(Location),
  })
  .check(
    z.refine(({ id, location }) => location !== undefined || isKnown(id), {
      path: ['location'],
      error: 'expected a location, as the id is none of the known regions',
    }),
  );

const isUnique = (regions: readonly { readonly id: string }[]) =>
  new Set(regions.map(({ id }) => id)).size === regions.length;

/** The setting GEO_NODE_MANAGER. */
const GeoConfigShape = z.strictObject({
  enabled: z.prefault(z.boolean(), true),
  health_check_interval_seconds: z.prefault(z.number().check(z.gte(1), z.lte(3600)), 30),
  /** The name under which the state is stored: another name starts with an empty state. */
  state_file: z.prefault(
    z
      .string()
      .check(z.regex(/^[\w.-]+(?:\/[\w.-]+)*$/, 'expected a relative path'), z.maxLength(256)),
    'geo/state',
  ),
  default_regions: z.prefault(
    z.array(DefaultRegion).check(z.maxLength(100), z.refine(isUnique, 'expected each id once')),
    DEFAULT_REGIONS.map(({ region_id, priority }) => ({ id: region_id, priority })),
  ),
  auto_failover: z.prefault(z.boolean(), true),
  replication_group_size: z.prefault(z.int().check(z.gte(0), z.lte(10)), 2),
  /** The bucket bindings of regions that have one of their own; the others share FILES. */
  region_buckets: z.prefault(z.record(RegionId, z.string().check(z.minLength(1))), {}),
});
export type GeoConfig = z.output<typeof GeoConfigShape>;

/**
 * Parses the setting GEO_NODE_MANAGER of wrangler.toml, or its JSON text.
 *
 * @throws TypeError naming each invalid value and what was expected
 */
export function parseGeoConfig(configured: unknown): GeoConfig {
  try {
    return parseBody(GeoConfigShape, valueOf(configured));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const faults = error.extras.errors ?? [];
    const lines = faults.map(({ pointer = '', detail }) => `GEO_NODE_MANAGER${pointer}: ${detail}`);
    throw new TypeError(lines.join('\n'), { cause: error });
  }
}

function valueOf(configured: unknown): unknown {
  if (configured === undefined) return {};
  if (typeof configured !== 'string') return configured;
  try {
    return JSON.parse(configured);
  } catch {
    throw new TypeError(`GEO_NODE_MANAGER: expected JSON (got ${JSON.stringify(configured)})`);
  }
}
