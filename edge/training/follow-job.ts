import type { Followed, Place } from '../objects/training-results.ts';

/** How long a stream is silent before it says that it lives. */
const KEEP_ALIVE_MS = 15_000;
/** When a client that lost the stream may come again. */
const RETRY_MS = 2_000;

type Follow = (place: Place, waitMs: number) => Promise<Followed | undefined>;

/**
 * Server-sent events of a job from a place on: its events under their `seq`, and between them what
 * is measured. It ends after the last event of a job that has ended; where the job cannot be
 * followed any more, it just ends, and the client comes back with `Last-Event-ID`.
 */
export function followJob(first: Followed, follow: Follow): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream();
  // A client that hangs up ends the writing, and with it the following.
  void writeAll(writable.getWriter(), first, follow).catch(() => {});
  return readable;
}

async function writeAll(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  first: Followed,
  follow: Follow,
): Promise<void> {
  const encoder = new TextEncoder();
  const write = (text: string) => writer.write(encoder.encode(text));
  await write(`retry: ${RETRY_MS}\n\n${framesOf(first)}`);
  let latest = first;
  while (!latest.isOver) {
    const next = await follow(latest.place, KEEP_ALIVE_MS).catch(() => undefined);
    if (!next) break;
    await write(framesOf(next) || ': still here\n\n');
    latest = next;
  }
  await writer.close();
}

const framesOf = ({ events, points }: Followed): string =>
  [
    ...points.map((point) => `event: metrics\ndata: ${JSON.stringify(point)}\n\n`),
    ...events.map(
      (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    ),
  ].join('');
