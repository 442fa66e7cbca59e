import type { LocationHint } from './region.ts';

/** A location on earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

interface KnownRegion extends Place {
  readonly region_id: string;
  readonly display_name: string;
  /** The lowest is preferred. */
  readonly priority: number;
}

/** The regions of a new platform. */
export const DEFAULT_REGIONS: readonly KnownRegion[] = [
  {
    region_id: 'ap-northeast-1',
    display_name: 'Asia Pacific (Tokyo)',
    latitude: 35.68,
    longitude: 139.69,
    priority: 1,
  },
  {
    region_id: 'us-east-1',
    display_name: 'US East (N. Virginia)',
    latitude: 39.04,
    longitude: -77.49,
    priority: 2,
  },
  {
    region_id: 'us-west-2',
    display_name: 'US West (Oregon)',
    latitude: 45.52,
    longitude: -122.68,
    priority: 3,
  },
  {
    region_id: 'eu-west-1',
    display_name: 'Europe (Ireland)',
    latitude: 53.33,
    longitude: -6.25,
    priority: 4,
  },
  {
    region_id: 'ap-southeast-1',
    display_name: 'Asia Pacific (Singapore)',
    latitude: 1.35,
    longitude: 103.82,
    priority: 5,
  },
];

const EARTH_RADIUS_KM = 6371;

/** The great-circle distance: d = 2r asin(sqrt(sin²(Δφ/2) + cos φ1 cos φ2 sin²(Δλ/2))). */
export function distanceKm(a: Place, b: Place): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  const h = half(a.latitude, b.latitude) + cosines * half(a.longitude, b.longitude);
  // Rounding may carry it past 1 between antipodes.
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, h)));
}

/** The nearest region; undefined for an empty list. */
export function nearestRegion<R extends Place>(place: Place, regions: readonly R[]): R | undefined {
  return regions
    .map((region) => ({ region, km: distanceKm(place, region) }))
    .toSorted((a, b) => a.km - b.km)[0]?.region;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** A location in the middle of what each of Cloudflare's hints covers. */
const HINTS: readonly (Place & { readonly hint: LocationHint })[] = [
  { hint: 'wnam', latitude: 39, longitude: -120 },
  { hint: 'enam', latitude: 40, longitude: -78 },
  { hint: 'sam', latitude: -20, longitude: -50 },
  { hint: 'weur', latitude: 49, longitude: 2 },
  { hint: 'eeur', latitude: 51, longitude: 22 },
  { hint: 'apac', latitude: 20, longitude: 115 },
  { hint: 'oc', latitude: -33, longitude: 150 },
  { hint: 'afr', latitude: 0, longitude: 25 },
  { hint: 'me', latitude: 26, longitude: 50 },
];

/** The location hint for the objects of a region: the nearest one. */
export const locationHintOf = (place: Place): LocationHint =>
  nearestRegion(place, HINTS)?.hint ?? 'enam';
