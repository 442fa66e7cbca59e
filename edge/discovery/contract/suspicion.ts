/** How regularly something is heard: what its silence is held against. Times in milliseconds. */
export interface Rhythm {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
}

/** Akka's first estimate: the expected interval, and a quarter of it as its deviation. */
export const firstRhythm = (meanMs: number): Rhythm => ({
  count: 1,
  mean: meanMs,
  variance: (meanMs / 4) ** 2,
});

/** Intervals weigh as much as in a window of so many (Akka: max-sample-size). */
const WINDOW = 200;
const MIN_DEVIATION_MS = 100;
/** What is taken for ordinary beyond the usual interval. */
const ACCEPTABLE_PAUSE_MS = 1000;
const HIGHEST = 100;

/** Takes an interval into account, in a running mean and variance. */
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
 * The phi accrual failure detector (Hayashibara et al., 2004) with Akka's approximation of the normal
 * distribution: 1 says that the silence is a mistake in one of ten cases, 3 in one of a thousand.
 */
export function phiOf({ mean, variance }: Rhythm, silentMs: number): number {
  const expected = mean + ACCEPTABLE_PAUSE_MS;
  const y = (silentMs - expected) / Math.max(MIN_DEVIATION_MS, Math.sqrt(variance));
  const e = Math.exp(-y * (1.5976 + 0.070566 * y * y));
  const phi = silentMs > expected ? -Math.log10(e / (1 + e)) : -Math.log10(1 - 1 / (1 + e));
  return Math.min(HIGHEST, Math.round(phi * 100) / 100);
}
