/**
 * State of the dashboard's connection to the gateway.
 *
 *   connecting --answered--> live --failed--> reconnecting --failed, OFFLINE_AFTER in a row--> offline
 *        |                    ^                   |                                              |
 *        '--failed------------+-----answered------+----------------answered--------------------'
 *
 * `network-lost` goes to offline from anywhere: the browser knows before a request could fail.
 * Pure: no clock, no timer, no request.
 */
export type Connection =
  | { readonly status: 'connecting' }
  | { readonly status: 'live' }
  | { readonly status: 'reconnecting'; readonly failures: number; readonly retryAt: number }
  | { readonly status: 'offline'; readonly failures: number; readonly retryAt: number };

export type ConnectionEvent = { readonly type: 'answered' | 'failed' | 'network-lost' };

/** Failures in a row after which "reconnecting" would be a lie. */
export const OFFLINE_AFTER = 4;

/** How long to wait after the first, second, … failure; the last value goes on. */
export const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

/** How long to wait between two questions while all is well. */
export const POLL_MS = 10_000;

export function nextConnection(
  current: Connection,
  event: ConnectionEvent,
  now: number,
): Connection {
  switch (event.type) {
    case 'answered':
      return current.status === 'live' ? current : { status: 'live' };
    case 'network-lost': {
      const failures = Math.max(failuresOf(current), OFFLINE_AFTER);
      return { status: 'offline', failures, retryAt: now + retryDelay(failures) };
    }
    case 'failed': {
      const failures = failuresOf(current) + 1;
      const status = failures >= OFFLINE_AFTER ? 'offline' : 'reconnecting';
      return { status, failures, retryAt: now + retryDelay(failures) };
    }
  }
}

/** Milliseconds until the gateway is asked again. */
export function untilNextProbe(connection: Connection, now: number): number {
  if (connection.status === 'connecting') return 0;
  if (connection.status === 'live') return POLL_MS;
  return Math.max(0, connection.retryAt - now);
}

/** @param failures in a row, at least 1 */
function retryDelay(failures: number): number {
  const index = Math.min(failures, RETRY_MS.length) - 1;
  return RETRY_MS[index] ?? RETRY_MS[0];
}

function failuresOf(connection: Connection): number {
  return 'failures' in connection ? connection.failures : 0;
}
