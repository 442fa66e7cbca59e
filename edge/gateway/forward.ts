import { identify } from '../auth/guard.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { safePathOf } from '../http/safe-path.ts';
import type { Call } from '../http/call.ts';
import { writeTrace } from '../http/trace.ts';
import { withoutHopHeaders } from './hop-headers.ts';
import { statsOf } from './instance-stats.ts';
import type { KnownService } from './service-table.ts';

/** How often a request may pass through a gateway before it is taken to run in a circle. */
const MAX_HOPS = 3;
const HOPS = 'x-spikegrid-hops';

/**
 * Sends a request on to a service and hands its answer back, both bodies streaming.
 *
 * @throws Problem loop_detected, upstream_error or upstream_timeout
 */
export async function forward(call: Call<Env>, service: KnownService): Promise<Response> {
  const [instance] = service.instances;
  const caller = await identify(call);
  const request = onward(call, service);
  const timeoutMs = call.env.UPSTREAM_TIMEOUT_MS;
  const { body } = call.request;
  try {
    const answer = await statsOf(instance.id).observe(() =>
      instance.target.kind === 'worker'
        ? sendInside(instance.target.entrypoint({ props: { caller } }), request, body)
        : sendOut(instance.target.base, request, { body, timeoutMs }),
    );
    const { status, statusText, webSocket } = answer;
    const headers = withoutHopHeaders(answer.headers);
    return new Response(answer.body, { status, statusText, headers, webSocket });
  } catch (error) {
    throw error instanceof Problem ? error : unreachable(service.name, error);
  }
}

interface Onward {
  readonly path: string;
  readonly init: { readonly method: string; readonly headers: Headers };
}

function onward({ request, url, trace, prefix }: Call<Env>, { name }: KnownService): Onward {
  const headers = withoutHopHeaders(request.headers);
  if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') {
    headers.set('upgrade', 'websocket');
  }
  writeTrace(headers, trace);
  headers.set(HOPS, String(nextHop(request.headers)));
  headers.set('x-forwarded-host', url.host);
  headers.set('x-forwarded-proto', url.protocol.slice(0, -1));
  headers.set('x-forwarded-prefix', `${prefix}/${name}`);
  headers.append('x-forwarded-for', request.headers.get('cf-connecting-ip') ?? 'unknown');
  headers.delete('host');
  const path = safePathOf(request.url).slice(name.length + 1) || '/';
  return { path: path + url.search, init: { method: request.method, headers } };
}

function nextHop(headers: Headers): number {
  const before = headers.get(HOPS) ?? '0';
  const hops = /^\d+$/.test(before) ? Number(before) + 1 : Infinity;
  if (hops <= MAX_HOPS) return hops;
  throw new Problem('loop_detected', `The request passed the gateway ${MAX_HOPS} times already.`);
}

function sendInside(
  entrypoint: Fetcher,
  { path, init }: Onward,
  body: ReadableStream | null,
): Promise<Response> {
  return entrypoint.fetch(`http://worker.internal${path}`, { ...init, body, redirect: 'manual' });
}

interface Sending {
  readonly body: ReadableStream | null;
  readonly timeoutMs: number;
}

/** The clock starts when the service has the whole request: a slow caller is not a slow service. */
async function sendOut(
  base: URL,
  { path, init }: Onward,
  { body, timeoutMs }: Sending,
): Promise<Response> {
  const timeout = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAnswered = false;
  const startClock = () => {
    if (!isAnswered) timer = setTimeout(() => timeout.abort(), timeoutMs);
  };
  const passing = body && passThrough(body, init.headers, startClock);
  if (!passing) startClock();
  try {
    const url = base.href.replace(/\/$/, '') + path;
    return await fetch(url, { ...init, body: passing, redirect: 'manual', signal: timeout.signal });
  } catch (error) {
    if (!timeout.signal.aborted) throw error;
    throw new Problem('upstream_timeout', `The service did not answer within ${timeoutMs} ms.`);
  } finally {
    isAnswered = true;
    clearTimeout(timer ?? null);
  }
}

/** The body on its way through, at its known length where it has one; `onEnd` once all of it went. */
function passThrough(body: ReadableStream, headers: Headers, onEnd: () => void): ReadableStream {
  const length = headers.get('content-length');
  const { readable, writable } =
    length === null ? new IdentityTransformStream() : new FixedLengthStream(Number(length));
  // A service may answer without reading to the end, or the caller may hang up: the answer, or the
  // failed fetch, tells that story.
  body.pipeTo(writable).then(onEnd, () => {});
  return readable;
}

function unreachable(service: string, error: unknown): Problem {
  const text = String(error);
  console.warn(JSON.stringify({ level: 'warn', event: 'upstream_error', service, text }));
  return new Problem('upstream_error', `${service} cannot be reached or broke off.`);
}
