import { type GeoConfig, parseGeoConfig } from './contract/config.ts';
import { DEFAULT_REGIONS } from './contract/regions.ts';
import type { Region } from './geo-state.ts';

let latest: { readonly configured: unknown; readonly config: GeoConfig } | undefined;

/** The same, parsed once: a setting stays the same while an isolate lives. */
export function geoConfigOf({
  GEO_NODE_MANAGER: configured,
}: {
  GEO_NODE_MANAGER: unknown;
}): GeoConfig {
  if (latest && latest.configured === configured) return latest.config;
  const config = parseGeoConfig(configured);
  latest = { configured, config };
  return config;
}

/** The regions a platform starts with. */
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
