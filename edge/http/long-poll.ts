import type { Call } from './call.ts';

const HEADER = 'server-timing';

/**
 * Runs the wait of a long poll. Its duration says nothing about
 * how fast a service is: the response reports it (W3C Server Timing: `wait;dur=` in milliseconds), and it is
 * left out of the durations that the service, and the gateway in front of it, measure.
 */
export async function longPoll<T>(
  { responseHeaders }: Pick<Call<unknown>, 'responseHeaders'>,
  wait: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  try {
    return await wait();
  } finally {
    responseHeaders.set(HEADER, `wait;dur=${(performance.now() - started).toFixed(1)}`);
  }
}

/** Seconds of long polling that a response reports; 0 if none. */
export function longPollSeconds(headers: Headers): number {
  const [, milliseconds] = /\bwait;dur=(\d+(?:\.\d+)?)/.exec(headers.get(HEADER) ?? '') ?? [];
  return Number(milliseconds ?? 0) / 1000;
}
