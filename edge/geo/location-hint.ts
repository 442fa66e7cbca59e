import type { LocationHint } from './contract/region.ts';
import { nearestRegion, type Place } from './contract/regions.ts';

/** A place in the middle of what each hint of Cloudflare means. */
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

/** Where the objects of a region are created: the nearest of what may be asked for. */
export const locationHintOf = (place: Place): LocationHint =>
  nearestRegion(place, HINTS)?.hint ?? 'enam';
