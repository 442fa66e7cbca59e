let startedAt: number | undefined;

/**
 * When this isolate first did work, in epoch milliseconds. The clock stands at zero while a Worker
 * is loaded, so the first request that asks sets it.
 */
export function startTime(): number {
  startedAt ??= Date.now();
  return startedAt;
}
