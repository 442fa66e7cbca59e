import type { OutwardConnection } from '../outward/connect-outward.ts';
import { onStopSignal } from '../process/stop-signals.ts';

interface Stopping {
  /** Where the service listens on nothing. */
  readonly connection: OutwardConnection | undefined;
  /** Message on a request to stop. */
  readonly farewell: string;
  /** Work under way may be finished, unless the gateway accepts no more of it. */
  readonly stop: (isRefused: boolean) => Promise<void>;
}

/**
 * Waits until a service is asked to stop, and stops it.
 *
 * @throws ProblemError where the gateway will not have it any more; it is stopped then, too
 */
export async function untilStopped({ connection, farewell, stop }: Stopping): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const offSignals = onStopSignal(() => {
    console.error(farewell);
    asked.resolve();
  });
  let isRefused = true;
  try {
    await Promise.race([asked.promise, ...(connection ? [connection.refused] : [])]);
    isRefused = false;
  } finally {
    await stop(isRefused);
    offSignals();
  }
}

/** Where a service takes requests, for who started it. */
export function placeOf(
  host: string,
  {
    port,
    connection,
  }: { readonly port: number; readonly connection: OutwardConnection | undefined },
): string {
  if (!connection) return `at http://${host}:${port}`;
  const { instance, fault } = connection;
  const state = fault === undefined ? 'connected' : `not yet connected: ${fault}`;
  return `over a connection of its own as ${instance} (${state})`;
}
