import { onStopSignal, STOP_SIGNALS } from '../process/stop-signals.ts';

/**
 * Calls `stop` on the first signal and ends the process when it has settled; the second signal
 * ends it at once. Miniflare's own handlers, which end the process in the middle of that, are
 * taken off; its cleaning on exit stays.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  for (const signal of STOP_SIGNALS) process.removeAllListeners(signal);
  onStopSignal(() => {
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(`spikegrid: could not stop in good order: ${String(error)}`);
        process.exit(1);
      },
    );
  });
}
