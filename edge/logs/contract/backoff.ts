export interface BackoffPolicy {
  /** What is waited at most after the first failure, and after many. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * How long to wait after so many failures in a row. Twice as long each time, and anything down to half
 * of that: those who were cut off together do not come back together.
 *
 * @param random from 0 to 1
 */
export function backoffMs(
  failures: number,
  { firstMs, mostMs }: BackoffPolicy,
  random: () => number = Math.random,
): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.max(0, failures - 1));
  return most * (0.5 + random() / 2);
}
