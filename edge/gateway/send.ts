import { createPacer } from '../http/body-pace.ts';
import { Problem } from '../http/problem.ts';
import type { Onward } from './onward.ts';

/** The body of a request: held, so that it can be sent again, or on its way through. */
export type Sent = Uint8Array<ArrayBuffer> | ReadableStream | null;

/** Into this Worker. */
export function sendInside(
  entrypoint: Fetcher,
  { path, method, headers }: Onward,
  body: ReadableStream | null,
): Promise<Response> {
  const init = { method, headers: [...headers], body, redirect: 'manual' } as const;
  return entrypoint.fetch(`http://worker.internal${path}`, init);
}

export interface Sending {
  readonly body: Sent;
  readonly timeoutMs: number;
  /** The caller hangs up. */
  readonly hungUp: AbortSignal;
  /** What sends to an address: it takes the place of the runtime's own where that would reach too far. */
  readonly fetchTo: (url: string) => typeof fetch;
  /** Called where that happens before the answer: nothing of the request runs any more after it. */
  readonly onHangUp: () => void;
}

/**
 * To an address. The clock runs while the service has something to do, take a chunk or answer: a
 * slow caller is not a slow service.
 *
 * @throws Problem upstream_timeout, body_too_slow, rate_limited, and what fetch throws where nothing answers
 */
export async function sendOut(
  base: string,
  { path, method, headers }: Onward,
  { body, timeoutMs, hungUp, onHangUp, fetchTo }: Sending,
): Promise<Response> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refusal: Problem | undefined;
  let isAnswered = false;
  const end = (why: Problem) => {
    refusal = why;
    stop.abort();
  };
  const tooLate = () =>
    end(new Problem('upstream_timeout', `The service did not answer within ${timeoutMs} ms.`));
  const start = () => {
    if (!isAnswered) timer = setTimeout(tooLate, timeoutMs);
  };
  const stopClock = () => clearTimeout(timer ?? null);
  const hangUp = () => {
    onHangUp();
    stop.abort();
  };
  hungUp.addEventListener('abort', hangUp);
  if (hungUp.aborted) hangUp();
  const clock = { start, stop: stopClock, end };
  const passing = body instanceof ReadableStream ? passThrough(body, headers, clock) : body;
  if (passing === body) start();
  try {
    const url = base.replace(/\/$/, '') + path;
    const init = { method, headers: [...headers], body: passing, redirect: 'manual' } as const;
    return await fetchTo(base)(url, { ...init, signal: stop.signal });
  } catch (error) {
    throw refusal ?? error;
  } finally {
    isAnswered = true;
    clock.stop();
    hungUp.removeEventListener('abort', hangUp);
  }
}

const READ_BYTES = 128 * 1024;

interface Clock {
  readonly start: () => void;
  readonly stop: () => void;
  /** The sender of the body is too slow. */
  readonly end: (why: Problem) => void;
}

/**
 * The body on its way through, at its known length where it has one. The clock runs while the
 * service takes a chunk, and once it has all of them.
 */
function passThrough(
  body: ReadableStream<Uint8Array>,
  headers: Onward['headers'],
  clock: Clock,
): ReadableStream {
  const length = headers.get('content-length');
  const { readable, writable } =
    length === undefined ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
  // A service may answer without reading to the end, or the caller may hang up: the answer, or the
  // failed fetch, tells that story.
  hand(body, writable, clock).catch(() => {});
  return readable;
}

/** As `pipeTo`, with the clock; large reads, as each costs a turn of this Worker. */
async function hand(
  body: ReadableStream<Uint8Array>,
  writable: WritableStream,
  { start, stop, end }: Clock,
): Promise<void> {
  const reader = body.getReader({ mode: 'byob' });
  const writer = writable.getWriter();
  const paced = createPacer(body);
  try {
    let buffer = new ArrayBuffer(READ_BYTES);
    for (;;) {
      const { done, value } = await paced(reader.read(new Uint8Array(buffer)));
      if (done) break;
      start();
      await writer.write(value);
      stop();
      buffer = value.buffer;
    }
    start();
    await writer.close();
  } catch (error) {
    if (error instanceof Problem) end(error);
    await Promise.allSettled([reader.cancel(error), writer.abort(error)]);
  }
}
