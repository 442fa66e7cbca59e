import type { Env } from '../env.ts';
import { socketRefusal } from '../gateway/socket-quota.ts';
import { socketsOf } from '../gateway/sockets-stub.ts';
import type { Caller } from '../http/caller.ts';
import { teamOf } from '../http/ownership.ts';

/** The client of an event stream. */
interface Follower {
  readonly env: Pick<Env, 'SOCKETS' | 'QUOTAS'>;
  readonly caller: Caller;
  readonly request: Request;
}

/** Writes text into a stream. */
type Write = (text: string) => Promise<void>;

/**
 * Responds with server-sent events, which count as a socket of their caller until they end. A
 * client that hangs up ends the writing.
 *
 * @throws Problem rate_limited where the quota is exhausted
 */
async function countedStream(
  { env, caller, request }: Follower,
  writeAll: (write: Write) => Promise<void>,
): Promise<Response> {
  const held = await socketsOf(env, teamOf(caller)).hold(caller);
  if (held.kind === 'full') {
    throw socketRefusal(caller, held.used, env.QUOTAS) ?? new Error('the stream was refused');
  }
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const written = writeAll((text) => writer.write(encoder.encode(text))).then(() => writer.close());
  const letGo = () => held.stream[Symbol.dispose]();
  request.signal.addEventListener('abort', letGo);
  void written.catch(() => {}).finally(letGo);
  return new Response(readable, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}

/**
 * The interval of keep-alive comments, which are often the only way to notice a client that has
 * gone.
 */
const KEEP_ALIVE_MS = 10_000;
/** The reconnection delay of clients. */
const RETRY_MS = 2_000;

/** A range of a feed, as frames, and the position after it. */
export interface Stretch<Place> {
  readonly frames: string;
  readonly place: Place;
  /** Nothing will follow. */
  readonly isOver?: boolean;
}

/** Long-polls for what follows a position; undefined where the feed has ended. */
type Follow<Place> = (place: Place, waitMs: number) => Promise<Stretch<Place> | undefined>;

/** An event under its number, which `Last-Event-ID` resumes after. */
export const frameOf = (event: { readonly seq: number; readonly type: string }): string =>
  `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * Responds with server-sent events, until the feed is over or the client hangs up. After an error
 * the stream ends, and the client reconnects.
 *
 * @throws Problem rate_limited, as `countedStream` does
 */
export function streamEvents<Place>(
  follower: Follower,
  first: Stretch<Place>,
  follow: Follow<Place>,
): Promise<Response> {
  return countedStream(follower, async (write) => {
    await write(`retry: ${RETRY_MS}\n\n${first.frames}`);
    let latest = first;
    while (!latest.isOver) {
      const next = await follow(latest.place, KEEP_ALIVE_MS).catch(() => undefined);
      if (!next) break;
      await write(next.frames || ': still here\n\n');
      latest = next;
    }
  });
}
