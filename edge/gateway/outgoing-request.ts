import { CSRF_HEADER } from '../access/contract/session.ts';
import { IDENTITY_HEADER } from '../contract/identity.ts';
import { chunksOf, readBytes } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import { clientAddress } from '../http/client-address.ts';
import { Problem } from '../http/problem.ts';
import { rawPathOf } from '../http/safe-path.ts';
import { withoutHopHeaders } from './returned-response.ts';

/** The number of gateways a request may pass before it counts as looping. */
const MAX_HOPS = 3;
const HOPS = 'x-spikegrid-hops';

/** A request as it is forwarded to a service. */
export interface OutgoingRequest {
  /** With its query, below the service's own root. */
  readonly path: string;
  readonly method: string;
  /** By lowercase names. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface Destination {
  readonly service: string;
  /** Replaces the path after the service's name. */
  readonly path?: string;
  /**
   * The path prefix that the gateway removed, for links in responses; the service's name by
   * default.
   */
  readonly prefix?: string;
}

/** Builds the request to forward. @throws Problem loop_detected */
export function outgoingRequestOf(
  call: Pick<Call<unknown>, OnwardCall>,
  to: Destination,
): OutgoingRequest {
  const { request, url, trace, prefix } = call;
  const headers = new Map(withoutHopHeaders(request.headers));
  if (isWebSocket(request)) headers.set('upgrade', 'websocket');
  headers.set('x-request-id', trace.requestId);
  headers.set('traceparent', trace.traceparent);
  headers.set(HOPS, String(nextHop(headers)));
  headers.set('x-forwarded-host', url.host);
  headers.set('x-forwarded-proto', url.protocol.slice(0, -1));
  headers.set('x-forwarded-prefix', prefix + (to.prefix ?? `/${to.service}`));
  const peer = clientAddress(request);
  headers.delete('cf-connecting-ip');
  const before = headers.get('x-forwarded-for');
  headers.set('x-forwarded-for', before === undefined ? peer : `${before}, ${peer}`);
  for (const name of ['host', IDENTITY_HEADER]) headers.delete(name);
  if (isBodiless(request)) headers.delete('content-length');
  // The path was checked where the request came in.
  const rest = rawPathOf(request.url).slice(to.service.length + 1) || '/';
  return { path: (to.path ?? rest) + url.search, method: request.method, headers };
}

const isBodiless = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/**
 * The body to forward. That of a GET or HEAD has no meaning (RFC 9110, section 9.3.1), and fetch
 * sends none.
 */
export const bodyOf = (request: Request) => (isBodiless(request) ? null : request.body);

type OnwardCall = 'request' | 'url' | 'trace' | 'prefix';

/**
 * The same without anything that a service outside of this Worker could use to act as the caller.
 * It learns the caller from the signature of `attempt`.
 */
export function withoutCredentials(outgoing: OutgoingRequest): OutgoingRequest {
  const headers = new Map(outgoing.headers);
  for (const name of CREDENTIALS) headers.delete(name);
  const protocols = headers.get('sec-websocket-protocol');
  if (protocols?.includes('bearer.')) {
    const others = protocols.split(',').map((protocol) => protocol.trim());
    const kept = others.filter((protocol) => !protocol.startsWith('bearer.'));
    headers.set('sec-websocket-protocol', kept.join(', '));
  }
  return withoutTicket({ ...outgoing, headers });
}

/** The cookies of an origin shared with others are none of its business. */
const CREDENTIALS = ['authorization', 'cf-access-jwt-assertion', 'cookie', CSRF_HEADER];

export const isWebSocket = ({ headers }: Request) =>
  headers.get('upgrade')?.toLowerCase() === 'websocket';

function nextHop(headers: ReadonlyMap<string, string>): number {
  const before = headers.get(HOPS) ?? '0';
  const hops = /^\d+$/.test(before) ? Number(before) + 1 : Infinity;
  if (hops <= MAX_HOPS) return hops;
  throw new Problem('loop_detected', `The request passed the gateway ${MAX_HOPS} times already.`);
}

/** A ticket is redeemed here, once, and means nothing to the service. */
export function withoutTicket(outgoing: OutgoingRequest): OutgoingRequest {
  const { path } = outgoing;
  if (!path.includes('ticket=')) return outgoing;
  const [before = '', query = ''] = path.split('?');
  const kept = query.split('&').filter((pair) => !pair.startsWith('ticket='));
  return { ...outgoing, path: kept.length > 0 ? `${before}?${kept.join('&')}` : before };
}

/** The body of a request: buffered, so that it can be sent again, or streaming. */
export type Sent = Uint8Array<ArrayBuffer> | ReadableStream | null;

/** RFC 9110, section 9.2.2: repeating them has no further effect. */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
/** A body up to this size is buffered, so that it can be sent again. */
const MAX_BYTES = 64 * 1024;

interface Replay {
  readonly body: Sent;
  /** Whether the request may be sent again after a failed attempt. */
  readonly isAllowed: boolean;
}

/**
 * The body to send, and whether the request is repeatable: by its method or an Idempotency-Key,
 * with a small body of known length.
 *
 * @throws Problem body_cut_off
 */
export async function replayOf(request: Request): Promise<Replay> {
  const { method, headers } = request;
  const body = bodyOf(request);
  const isHarmless = IDEMPOTENT.includes(method) || headers.has('idempotency-key');
  if (!isHarmless || body === null) return { body, isAllowed: isHarmless };
  const length = headers.get('content-length');
  if (length === null || Number(length) > MAX_BYTES) return { body, isAllowed: false };
  const bytes = await readBytes(chunksOf(body), MAX_BYTES);
  return { body: new Uint8Array(bytes), isAllowed: true };
}
