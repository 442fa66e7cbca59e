export interface BackoffPolicy {
  /** The maximum delay after the first failure, and after many. */
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * Exponential backoff with jitter: the delay doubles with each failure, and is randomised down to
 * half of it, so that clients cut off together do not reconnect together.
 *
 * @param random in [0, 1]
 */
export function backoffMs(
  failures: number,
  { firstMs, mostMs }: BackoffPolicy,
  random: () => number = Math.random,
): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.max(0, failures - 1));
  return most * (0.5 + random() / 2);
}
