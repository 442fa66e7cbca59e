import { DEFAULT_REGIONS, nearestRegion, type Place } from '../geo/contract/regions.ts';

/** What Cloudflare knows of where a request comes from. */
type Whereabouts = Partial<
  Pick<IncomingRequestCfProperties, 'continent' | 'latitude' | 'longitude'>
>;

/** The middle of each continent, for callers of whom nothing closer is known. */
const CONTINENTS: Readonly<Record<string, Place>> = {
  AF: { latitude: 2, longitude: 16 },
  AN: { latitude: -90, longitude: 0 },
  AS: { latitude: 34, longitude: 100 },
  EU: { latitude: 54, longitude: 15 },
  NA: { latitude: 45, longitude: -100 },
  OC: { latitude: -25, longitude: 134 },
  SA: { latitude: -14, longitude: -58 },
};

/**
 * The region a request comes from: the one its caller names, else the known one that is nearest to
 * where Cloudflare saw the caller. Null where nothing is known, as on a machine of one's own.
 */
export function regionOf({ headers, cf }: Pick<Request, 'headers' | 'cf'>): string | null {
  const named = headers.get('x-spikegrid-region');
  if (named !== null) return named;
  const place = cf && placeOf(cf as Whereabouts);
  return (place && nearestRegion(place, DEFAULT_REGIONS)?.region_id) ?? null;
}

function placeOf({ latitude, longitude, continent }: Whereabouts): Place | undefined {
  const place = {
    latitude: Number.parseFloat(latitude ?? ''),
    longitude: Number.parseFloat(longitude ?? ''),
  };
  const isKnown = Number.isFinite(place.latitude) && Number.isFinite(place.longitude);
  return isKnown ? place : CONTINENTS[continent ?? ''];
}
