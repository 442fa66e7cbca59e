import { countedStream, type Follower } from '../events/counted-stream.ts';
import type { FollowedReadings } from './results.ts';

/** How long a stream is silent before it says that it lives; many a client that has gone is noticed by that alone. */
const KEEP_ALIVE_MS = 10_000;
/** When a client that lost the stream may come again. */
const RETRY_MS = 2_000;

type Follow = (after: number, waitMs: number) => Promise<FollowedReadings | undefined>;

/**
 * Readings as server-sent events from a place on. Where the sensor cannot be followed any more it ends,
 * and the client comes back with `Last-Event-ID`.
 *
 * @throws Problem rate_limited, as `countedStream` does
 */
export function followReadings(
  follower: Follower,
  first: FollowedReadings,
  follow: Follow,
): Promise<Response> {
  return countedStream(follower, async (write) => {
    await write(`retry: ${RETRY_MS}\n\n${frameOf(first)}`);
    let latest = first;
    for (;;) {
      const next = await follow(latest.seq, KEEP_ALIVE_MS).catch(() => undefined);
      if (!next) break;
      await write(frameOf(next) || ': still here\n\n');
      latest = next;
    }
  });
}

function frameOf({ readings, seq }: FollowedReadings): string {
  if (readings.length === 0) return '';
  return `id: ${seq}\nevent: readings\ndata: ${JSON.stringify({ readings })}\n\n`;
}
