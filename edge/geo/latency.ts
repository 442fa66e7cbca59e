import { distanceKm, type Place } from './contract/known-regions.ts';
import type { LatencyMatrix, LatencySource } from './contract/latency.ts';
import type { GeoState } from './state.ts';

/** The speed of signals in fibre: two thirds of that of light. */
const KM_PER_MS = 200;
/** The overhead of every route beyond its fibre. */
const ROUTE_MS = 5.4;
/** Routes longer than this deviate from the great circle, ... */
const DIRECT_KM = 5316;
/** ... at this cost per further kilometre. */
const DETOUR_MS_PER_KM = 0.01533;
/** One microsecond: more digits would be false precision. */
const DIGITS = 1000;

/**
 * The estimated one-way latency between two locations, in milliseconds:
 *
 *   latency = km / 200 + 5.4 + 0.01533 * max(0, km - 5316), and 0 for the same location
 */
export function estimateMs(a: Place, b: Place): number {
  const km = distanceKm(a, b);
  if (km === 0) return 0;
  const detour = DETOUR_MS_PER_KM * Math.max(0, km - DIRECT_KM);
  return round(km / KM_PER_MS + ROUTE_MS + detour);
}

const round = (ms: number): number => Math.round(ms * DIGITS) / DIGITS;

interface LocatedRegion extends Place {
  readonly region_id: string;
}

/** The round trip that nodes of one region measured to another; undefined where none did. */
type RoundTrips = (from: string, to: string) => number | undefined;

interface Latency {
  readonly ms: number;
  readonly source: LatencySource;
}

/**
 * The one-way latency between two regions: half the round trip where nodes of both report it, else
 * the estimate.
 */
export function latencyBetween(a: LocatedRegion, b: LocatedRegion, trips: RoundTrips): Latency {
  if (a.region_id === b.region_id) return { ms: 0, source: 'estimated' };
  const there = trips(a.region_id, b.region_id);
  const back = trips(b.region_id, a.region_id);
  if (there === undefined || back === undefined) {
    return { ms: estimateMs(a, b), source: 'estimated' };
  }
  return { ms: round((there + back) / 4), source: 'measured' };
}

/** Each pair is computed once: the matrix is symmetric, with zeros on its diagonal. */
export function latencyMatrix(regions: readonly LocatedRegion[], trips: RoundTrips): LatencyMatrix {
  const matrix: LatencyMatrix['matrix'] = {};
  const sources: LatencyMatrix['sources'] = {};
  for (const { region_id } of regions) {
    matrix[region_id] = {};
    sources[region_id] = {};
  }
  for (const [i, a] of regions.entries()) {
    for (const b of regions.slice(i)) {
      const { ms, source } = latencyBetween(a, b, trips);
      for (const [from, to] of [
        [a.region_id, b.region_id],
        [b.region_id, a.region_id],
      ] as const) {
        (matrix[from] ??= {})[to] = ms;
        (sources[from] ??= {})[to] = source;
      }
    }
  }
  return { matrix, sources };
}

/** The weight of the newest report in an average. */
const WEIGHT = 0.2;
/** Older reports say nothing about the present. */
const KEPT_MS = 10 * 60_000;

interface Trip {
  readonly ms: number;
  readonly at: number;
}

/** The round trips that nodes report: a moving average for each direction. */
export class RoundTripAverages {
  readonly #trips = new Map<string, Trip>();
  /** Grows with every change, to invalidate values derived from it. */
  revision = 0;

  report(from: string, trips: Readonly<Record<string, number>>, now: number): void {
    for (const [to, ms] of Object.entries(trips)) {
      if (to === from) continue;
      const before = this.#fresh(keyOf(from, to), now);
      this.#trips.set(keyOf(from, to), {
        ms: before === undefined ? ms : before + WEIGHT * (ms - before),
        at: now,
      });
      this.revision += 1;
    }
  }

  /** The averages at a time. */
  at(now: number): RoundTrips {
    return (from, to) => this.#fresh(keyOf(from, to), now);
  }

  #fresh(key: string, now: number): number | undefined {
    const trip = this.#trips.get(key);
    return trip && now - trip.at < KEPT_MS ? trip.ms : undefined;
  }
}

const keyOf = (from: string, to: string) => `${from} ${to}`;

/** The matrix as it is sent. */
export interface EncodedMatrix {
  readonly text: string;
  readonly etag: string;
}

/** The inputs of the latency matrix. */
interface LatencySources {
  readonly state: GeoState;
  readonly trips: RoundTripAverages;
}

/** The latency matrix as JSON, cached until a region or a measurement changes. */
export class LatencyMatrixCache {
  readonly #sources: LatencySources;
  #cached: (EncodedMatrix & { readonly key: string }) | undefined;

  constructor(sources: LatencySources) {
    this.#sources = sources;
  }

  at(now: number): EncodedMatrix {
    const key = this.#key(now);
    if (this.#cached?.key === key) return this.#cached;
    const { state, trips } = this.#sources;
    const places = [...state.regions.values()].map(({ region }) => region);
    const text = JSON.stringify(latencyMatrix(places, trips.at(now)));
    this.#cached = { key, text, etag: etagOf(text) };
    return this.#cached;
  }

  #key(now: number): string {
    const { state, trips } = this.#sources;
    // Measurements expire, checked once a minute.
    const minute = trips.revision === 0 ? 0 : Math.floor(now / 60_000);
    const places = [...state.regions.values()].map(
      ({ region: { region_id, createdAt } }) => `${region_id} ${createdAt}`,
    );
    return `${places.join()} ${trips.revision} ${minute}`;
  }
}

/** FNV-1a over the text: equal for equal values. */
function etagOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `"${(hash >>> 0).toString(16)}-${text.length}"`;
}
