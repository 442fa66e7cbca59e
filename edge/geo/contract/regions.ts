/** A place on earth, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export interface KnownRegion extends Place {
  readonly region_id: string;
  readonly display_name: string;
  /** The lowest is preferred. */
  readonly priority: number;
}

/** The regions that are there from the start. */
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

/** Along the surface of the earth: d = 2r asin(sqrt(sin²(Δφ/2) + cos φ1 cos φ2 sin²(Δλ/2))). */
export function distanceKm(a: Place, b: Place): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  const h = half(a.latitude, b.latitude) + cosines * half(a.longitude, b.longitude);
  // Rounding may carry it past 1 between opposite places.
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, h)));
}

/** The nearest of some regions; undefined where there is none. */
export function nearestRegion<R extends Place>(place: Place, regions: readonly R[]): R | undefined {
  return regions
    .map((region) => ({ region, km: distanceKm(place, region) }))
    .toSorted((a, b) => a.km - b.km)[0]?.region;
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
