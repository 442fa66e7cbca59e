import type { LatencyMatrix, LatencySource } from './contract/latency.ts';
import { distanceKm, type Place } from './contract/regions.ts';

/** How fast signals go in fibre: two thirds of light. */
const KM_PER_MS = 200;
/** What every route costs beyond its fibre. */
const ROUTE_MS = 5.4;
/** Routes longer than this leave the great circle, ... */
const DIRECT_KM = 5316;
/** ... and take so much longer for each kilometre beyond it. */
const DETOUR_MS_PER_KM = 0.01533;
/** One microsecond: more digits would claim what no estimate knows. */
const DIGITS = 1000;

/**
 * What a message takes one way between two places, in milliseconds:
 *
 *   latency = km / 200 + 5.4 + 0.01533 * max(0, km - 5316), and 0 where both are one place
 */
export function estimateMs(a: Place, b: Place): number {
  const km = distanceKm(a, b);
  if (km === 0) return 0;
  const detour = DETOUR_MS_PER_KM * Math.max(0, km - DIRECT_KM);
  return round(km / KM_PER_MS + ROUTE_MS + detour);
}

const round = (ms: number): number => Math.round(ms * DIGITS) / DIGITS;

export interface LocatedRegion extends Place {
  readonly region_id: string;
}

/** What nodes of one region measured to those of another, there and back; undefined where nothing. */
export type RoundTrips = (from: string, to: string) => number | undefined;

export interface Latency {
  readonly ms: number;
  readonly source: LatencySource;
}

/** One way between two regions: half the round trip where nodes of both report it, else the estimate. */
export function latencyBetween(a: LocatedRegion, b: LocatedRegion, trips: RoundTrips): Latency {
  if (a.region_id === b.region_id) return { ms: 0, source: 'estimated' };
  const there = trips(a.region_id, b.region_id);
  const back = trips(b.region_id, a.region_id);
  if (there === undefined || back === undefined) {
    return { ms: estimateMs(a, b), source: 'estimated' };
  }
  return { ms: round((there + back) / 4), source: 'measured' };
}

/** Each pair is looked at once: the matrix is symmetric, with zeros on its diagonal. */
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
