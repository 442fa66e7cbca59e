import type { Env } from '../env.ts';
import { socketRefusal } from '../gateway/socket-quota.ts';
import { socketsOf } from '../gateway/sockets-stub.ts';
import type { Caller } from '../http/caller.ts';
import { teamOf } from '../http/ownership.ts';

/** Who follows a stream. */
export interface Follower {
  readonly env: Pick<Env, 'SOCKETS' | 'QUOTAS'>;
  readonly caller: Caller;
  readonly request: Request;
}

/** Writes text into a stream. */
type Write = (text: string) => Promise<void>;

/**
 * Answers with server-sent events, which count among the sockets of their caller until they end. A
 * client that hangs up ends the writing.
 *
 * @throws Problem rate_limited where he or his team has as many open as they may
 */
export async function countedStream(
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

/** How long a stream is silent before it says that it lives; many a client that has gone is noticed by that alone. */
const KEEP_ALIVE_MS = 10_000;
/** When a client that lost the stream may come again. */
const RETRY_MS = 2_000;

/** What follows a place in a feed, as frames, and the place after it. */
export interface Stretch<Place> {
  readonly frames: string;
  readonly place: Place;
  /** Nothing will follow. */
  readonly isOver?: boolean;
}

/** What follows a place, held back until there is something or `waitMs` is over; undefined where nothing can. */
export type Follow<Place> = (place: Place, waitMs: number) => Promise<Stretch<Place> | undefined>;

/** An event under its number, which `Last-Event-ID` resumes after. */
export const frameOf = (event: { readonly seq: number; readonly type: string }): string =>
  `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * Answers with server-sent events from a stretch on, until the feed is over or the client hangs up.
 * Where the feed cannot be followed any more the stream ends, and the client comes back.
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
