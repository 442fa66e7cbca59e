import type { NodeMetadata } from './node-message.ts';

/** Up to this age a heartbeat counts in full; at the inactivity timeout it counts for nothing. */
const FRESH_MS = 2_000;
/** Below this headroom, the scarcest resource decides (Kubernetes evicts at about the same). */
const HEADROOM = 0.1;

const WEIGHTS = [
  ['cpu_percent', 0.4],
  ['memory_percent', 0.4],
  ['disk_percent', 0.2],
] as const;

/** The free capacity of a node, from 0 to 1, as it last reported; 1 where it reports nothing. */
export function spareOf(metadata: NodeMetadata): number {
  const reported = WEIGHTS.flatMap(([name, weight]) => {
    const percent = metadata[name];
    const isKnown = typeof percent === 'number' && percent >= 0 && percent <= 100;
    return isKnown ? [{ used: percent / 100, weight }] : [];
  });
  if (reported.length === 0) return 1;
  const total = reported.reduce((sum, { weight }) => sum + weight, 0);
  const used = reported.reduce((sum, one) => sum + one.used * one.weight, 0) / total;
  const fullest = Math.max(...reported.map((one) => one.used));
  // Otherwise the average would hide a full disk.
  return (1 - used) * Math.min(1, (1 - fullest) / HEADROOM);
}

/** The health score: free capacity, weighted by how recently the node was heard. */
export function healthScore(spare: number, silentMs: number, timeoutMs: number): number {
  const freshness = Math.min(1, Math.max(0, (timeoutMs - silentMs) / (timeoutMs - FRESH_MS)));
  return Math.round(spare * freshness * 1000) / 1000;
}

/** The running statistics of heartbeat intervals. Times in milliseconds. */
export interface Rhythm {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

/** Akka's first estimate: the expected interval, and a quarter of it as the deviation. */
export const firstRhythm = (meanMs: number): Rhythm => ({
  count: 1,
  mean: meanMs,
  variance: (meanMs / 4) ** 2,
});

/** Intervals are weighted as in a window of this size (Akka: max-sample-size). */
const WINDOW = 200;
const MIN_DEVIATION_MS = 100;
/** The tolerated delay beyond the usual interval. */
const ACCEPTABLE_PAUSE_MS = 1000;
const HIGHEST = 100;

/** Adds an interval to the running mean and variance. */
export function withInterval({ count, mean, variance }: Rhythm, intervalMs: number): Rhythm {
  const next = Math.min(count + 1, WINDOW);
  const delta = intervalMs - mean;
  const moved = mean + delta / next;
  return {
    count: next,
    mean: moved,
    variance: variance + (delta * (intervalMs - moved) - variance) / next,
  };
}

/**
 * The phi accrual failure detector (Hayashibara et al., 2004) with Akka's approximation of the
 * normal distribution: a suspicion at phi 1 is wrong in one of ten cases, at phi 3 in one of a
 * thousand.
 */
export function phiOf({ mean, variance }: Rhythm, silentMs: number): number {
  const expected = mean + ACCEPTABLE_PAUSE_MS;
  const y = (silentMs - expected) / Math.max(MIN_DEVIATION_MS, Math.sqrt(variance));
  const e = Math.exp(-y * (1.5976 + 0.070566 * y * y));
  const phi = silentMs > expected ? -Math.log10(e / (1 + e)) : -Math.log10(1 - 1 / (1 + e));
  return Math.min(HIGHEST, Math.round(phi * 100) / 100);
}
