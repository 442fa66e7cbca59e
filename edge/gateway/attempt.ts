import { IDENTITY_HEADER, type IdentityClaims } from '../contract/identity.ts';
import { createPacer } from '../http/body-pace.ts';
import { Problem } from '../http/problem.ts';
import { countUpstream } from '../http/telemetry.ts';
import { isConnected } from '../outward/contract/connection.ts';
import type { SignIdentity } from './identity-signer.ts';
import { type InstanceStats, statsOf } from './instance-stats.ts';
import type { OutgoingRequest, Sent } from './outgoing-request.ts';
import type { InstanceState } from './machine.ts';

/** The outcome of sending a request to one instance. */
export type Attempt =
  | { readonly kind: 'answered'; readonly instance: InstanceState; readonly answer: Response }
  | {
      readonly kind: 'failed';
      readonly instance: InstanceState;
      readonly problem: Problem;
      /** No response arrived at all, so another instance may be tried. */
      readonly isUnreached: boolean;
    };

/** A request ready to be sent, to one instance or another. */
export interface Sender {
  readonly service: string;
  readonly outgoing: OutgoingRequest;
  /** The caller, signed anew for each attempt: a nonce is accepted once. */
  readonly identity: Pick<IdentityClaims, 'caller' | 'here'>;
  readonly sign: SignIdentity;
  readonly sending: Omit<Sending, 'onHangUp'>;
}

/**
 * Sends a request to one instance and records the outcome. The request counts as in flight until
 * its response begins, because the runtime does not report when a caller leaves a stream.
 */
export async function attempt(sender: Sender, instance: InstanceState): Promise<Attempt> {
  const service = statsOf(sender.service);
  const stats = service.of(instance.url);
  const started = Date.now();
  const { hungUp } = sender.sending;
  const leave = entered(stats);
  try {
    const answer = await sendOut(instance.url, await signed(sender, instance), {
      ...sender.sending,
      onHangUp: leave,
    });
    const now = Date.now();
    countUpstream(sender.service, answer.status, (now - started) / 1000);
    if (answer.status >= 500) service.failed(instance.url, `it answered ${answer.status}`, now);
    else stats.succeeded(now - started, now);
    return { kind: 'answered', instance, answer };
  } catch (error) {
    const problem = error instanceof Problem ? error : unreachable(sender.service, error);
    // A caller that hangs up, is slow, or asks for too much says nothing about the instance.
    if (!hungUp.aborted && BLAMED.includes(problem.code)) {
      const now = Date.now();
      service.failed(instance.url, problem.message, now);
      countUpstream(sender.service, 'error', (now - started) / 1000);
    }
    return { kind: 'failed', instance, problem, isUnreached: !(error instanceof Problem) };
  } finally {
    leave();
  }
}

/** Signs the path as the instance receives it, below the path of its own address. */
async function signed(
  { service, outgoing, identity, sign }: Sender,
  { url }: InstanceState,
): Promise<OutgoingRequest> {
  const below = isConnected(url) ? '' : new URL(url).pathname.replace(/\/$/, '');
  const htu = below + outgoing.path;
  const token = await sign(service, { htm: outgoing.method, htu, ...identity });
  return { ...outgoing, headers: new Map([...outgoing.headers, [IDENTITY_HEADER, token]]) };
}

const BLAMED: readonly string[] = ['upstream_error', 'upstream_timeout'];

/** Counts a request as in flight until the returned function is called. */
function entered(stats: InstanceStats): () => void {
  let isIn = true;
  stats.inFlight += 1;
  return () => {
    if (isIn) stats.inFlight -= 1;
    isIn = false;
  };
}

function unreachable(service: string, error: unknown): Problem {
  const text = String(error);
  console.warn(JSON.stringify({ level: 'warn', event: 'upstream_error', service, text }));
  return new Problem('upstream_error', `${service} cannot be reached or broke off.`, {
    headers: { 'retry-after': '1' },
  });
}

/** Sends a request to an entrypoint of this Worker. */
export function sendInside(
  entrypoint: Fetcher,
  { path, method, headers }: OutgoingRequest,
  body: ReadableStream | null,
): Promise<Response> {
  const init = { method, headers: [...headers], body, redirect: 'manual' } as const;
  return entrypoint.fetch(`http://worker.internal${path}`, init);
}

interface Sending {
  readonly body: Sent;
  readonly timeoutMs: number;
  /** Aborts when the caller hangs up. */
  readonly hungUp: AbortSignal;
  /**
   * Returns the fetch to use for an address, restricted where the runtime's own would reach too
   * far.
   */
  readonly fetchTo: (url: string) => typeof fetch;
  /** Called when the caller hangs up before the response: nothing of the request runs after it. */
  readonly onHangUp: () => void;
}

/**
 * Sends a request to an address. The timeout runs while the service has to act, to take a chunk
 * or to respond, so that a slow caller does not count as a slow service.
 *
 * @throws Problem upstream_timeout, body_too_slow, rate_limited, and what fetch throws where
 * nothing responds
 */
async function sendOut(
  base: string,
  { path, method, headers }: OutgoingRequest,
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
  /** Aborts because the caller sends the body too slowly. */
  readonly end: (why: Problem) => void;
}

/**
 * The body in transit, at its known length where it has one. The timeout runs while the service
 * takes a chunk, and after the last one.
 */
function passThrough(
  body: ReadableStream<Uint8Array>,
  headers: OutgoingRequest['headers'],
  clock: Clock,
): ReadableStream {
  const length = headers.get('content-length');
  const { readable, writable } =
    length === undefined ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
  // A service may respond without reading to the end, or the caller may hang up: the response, or
  // the failed fetch, reports that.
  hand(body, writable, clock).catch(() => {});
  return readable;
}

/** `pipeTo` with the timeout, and with large reads, as each costs a turn of this Worker. */
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
