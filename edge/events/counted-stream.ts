import type { Env } from '../env.ts';
import { socketRefusal, socketsOf } from '../gateway/socket-holder.ts';
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
