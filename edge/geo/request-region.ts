import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { Problem } from '../http/problem.ts';
import type { RegionStatus } from './contract/region.ts';
import { DEFAULT_REGIONS, nearestRegion, type Place } from './contract/known-regions.ts';
import { createIsolateCache } from '../gateway/isolate-cache.ts';
import { geoOf } from './geo-stub.ts';
import type { Routing } from './state.ts';

/** Cloudflare's knowledge of a request's origin. */
type Whereabouts = Partial<
  Pick<IncomingRequestCfProperties, 'continent' | 'latitude' | 'longitude'>
>;

/** The middle of each continent, for callers without a closer location. */
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
 * The region of a request: the one its caller names, else the known one nearest to the location
 * that Cloudflare reports. Null where nothing is known, as on a developer's machine.
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

/** Statuses of regions whose nodes get new requests. */
const SERVING: ReadonlySet<RegionStatus> = new Set(['online', 'degraded', 'unknown']);

interface Placed {
  readonly region_id: string | null;
}

interface Placement<I> {
  /** The region whose instances are preferred; null where none is. */
  readonly regionId: string | null;
  readonly instances: readonly I[];
}

/**
 * Places a request by the state of the regions: instances of a region that is offline or draining
 * are left out while there are others. Those of the caller's region come first; where it has none,
 * or one that does not serve, those of the active region do.
 */
export function placeRequest<I extends Placed>(
  instances: readonly I[],
  callerRegion: string | null,
  { active, regions }: Routing,
): Placement<I> {
  // An unknown region is assumed to serve.
  const serves = (id: string) => SERVING.has(regions[id] ?? 'online');
  const open = instances.filter(({ region_id }) => region_id === null || serves(region_id));
  const isNear = callerRegion !== null && serves(callerRegion);
  return {
    regionId: isNear ? callerRegion : active,
    instances: open.length > 0 ? open : instances,
  };
}

const table = createIsolateCache({
  staleMs: 300,
  maxAgeMs: 600,
  event: 'stale_region_table',
  read: (env): Promise<Routing> => geoOf(env).routing(),
});

/** The active region and the status of each, at most 0.6 s old; undefined where they cannot be read. */
export const regionTable = (call: Pick<Call<Env>, 'env' | 'ctx'>): Promise<Routing | undefined> =>
  table.get(call).catch(() => undefined);

/**
 * The epoch that a caller acts under: that of its last heartbeat, or of the active region it read.
 */
const EPOCH_HEADER = 'x-spikegrid-epoch';

/**
 * Refuses a request decided under an outdated epoch: a region that was replaced while it was cut
 * off learns of it with its first request. The header is optional.
 *
 * @throws Problem stale_epoch, or invalid_parameter for a malformed epoch
 */
export async function refuseStaleEpoch(headers: Headers, env: Env): Promise<void> {
  const said = headers.get(EPOCH_HEADER);
  if (said === null) return;
  if (!/^\d{1,15}$/.test(said)) {
    throw new Problem('invalid_parameter', `${EPOCH_HEADER}: expected a number (got "${said}").`);
  }
  // Asks the object itself: what an isolate remembers may be older than the switch.
  const { epoch, active } = await geoOf(env).routing();
  if (Number(said) >= epoch) return;
  throw new Problem(
    'stale_epoch',
    `The epoch is ${epoch}, in which ${active} is active, not ${said}.`,
    {
      members: { epoch, active_region: active },
    },
  );
}
