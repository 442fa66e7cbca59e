import type { Followed } from '../objects/geo-results.ts';

/** How long a stream is silent before it says that it lives. */
const KEEP_ALIVE_MS = 15_000;
/** When a client that lost the stream may come again. */
const RETRY_MS = 2_000;

type Follow = (seq: number, waitMs: number) => Promise<Followed>;

/**
 * Server-sent events of all regions after a number, under their own numbers, until the client hangs
 * up. Where they cannot be followed any more it ends, and the client comes back with `Last-Event-ID`.
 */
export function followRegions(after: number, follow: Follow): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream();
  // A client that hangs up ends the writing, and with it the following.
  void writeAll(writable.getWriter(), after, follow).catch(() => {});
  return readable;
}

async function writeAll(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  after: number,
  follow: Follow,
): Promise<void> {
  const encoder = new TextEncoder();
  await writer.write(encoder.encode(`retry: ${RETRY_MS}\n\n`));
  let seq = after;
  for (;;) {
    const next = await follow(seq, KEEP_ALIVE_MS).catch(() => undefined);
    if (!next) break;
    await writer.write(encoder.encode(framesOf(next) || ': still here\n\n'));
    seq = next.seq;
  }
  await writer.close();
}

const framesOf = ({ events }: Followed): string =>
  events
    .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
