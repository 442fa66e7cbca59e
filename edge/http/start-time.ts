let startedAt: number | undefined;

/**
 * When this isolate first did work, in epoch milliseconds. The clock stands at zero while a Worker
 * is loaded, so the first call sets it: every service makes it for every request.
 */
export function startTime(): number {
  startedAt ??= Date.now();
  return startedAt;
}
