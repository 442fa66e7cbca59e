import { IDENTITY_HEADER } from '../contract/identity.ts';
import { CSRF_HEADER } from '../access/contract/session.ts';
import type { Call } from '../http/call.ts';
import { clientAddress } from '../http/client-address.ts';
import { Problem } from '../http/problem.ts';
import { rawPathOf } from '../http/safe-path.ts';
import { foreignHeaders } from './foreign-answer.ts';
import { withoutHopHeaders } from './hop-headers.ts';

/** How often a request may pass through a gateway before it is taken to run in a circle. */
const MAX_HOPS = 3;
const HOPS = 'x-spikegrid-hops';

/** A request as it goes on to a service. */
export interface Onward {
  /** With its query, below the service's own root. */
  readonly path: string;
  readonly method: string;
  /** By lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface Destination {
  readonly service: string;
  /** In place of what follows the service's name. */
  readonly path?: string;
  /** What the gateway took off the path, for links in answers; the service's name where it is left out. */
  readonly prefix?: string;
}

/** @throws Problem loop_detected */
export function onwardOf(call: Pick<Call<unknown>, OnwardCall>, to: Destination): Onward {
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
  // It was found safe where the request came in.
  const rest = rawPathOf(request.url).slice(to.service.length + 1) || '/';
  return { path: (to.path ?? rest) + url.search, method: request.method, headers };
}

const isBodiless = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** What goes on as a body. That of a GET or HEAD means nothing (RFC 9110, section 9.3.1), and fetch sends none. */
export const bodyOf = (request: Request) => (isBodiless(request) ? null : request.body);

type OnwardCall = 'request' | 'url' | 'trace' | 'prefix';

/**
 * The same for a service outside of this Worker: it gets nothing that it could call the platform with in
 * the caller's name. Who calls it learns from the signature of `attempt`.
 */
export function withoutCredentials(onward: Onward): Onward {
  const headers = new Map(onward.headers);
  for (const name of CREDENTIALS) headers.delete(name);
  const protocols = headers.get('sec-websocket-protocol');
  if (protocols?.includes('bearer.')) {
    const others = protocols.split(',').map((protocol) => protocol.trim());
    const kept = others.filter((protocol) => !protocol.startsWith('bearer.'));
    headers.set('sec-websocket-protocol', kept.join(', '));
  }
  return withoutTicket({ ...onward, headers });
}

/** Cookies of an origin that it shares with others are none of its business. */
const CREDENTIALS = ['authorization', 'cf-access-jwt-assertion', 'cookie', CSRF_HEADER];

/** What a service answers, without what concerns its connection; one elsewhere does not speak for our origin. */
export function handedBack(answer: Response, isOurs: boolean): Response {
  const headers = isOurs ? withoutHopHeaders(answer.headers) : foreignHeaders(answer);
  const { status, statusText, webSocket } = answer;
  return new Response(answer.body, { status, statusText, headers, webSocket });
}

export const isWebSocket = ({ headers }: Request) =>
  headers.get('upgrade')?.toLowerCase() === 'websocket';

function nextHop(headers: ReadonlyMap<string, string>): number {
  const before = headers.get(HOPS) ?? '0';
  const hops = /^\d+$/.test(before) ? Number(before) + 1 : Infinity;
  if (hops <= MAX_HOPS) return hops;
  throw new Problem('loop_detected', `The request passed the gateway ${MAX_HOPS} times already.`);
}

/** A ticket is redeemed here, once, and no name that the service knows. */
export function withoutTicket(onward: Onward): Onward {
  const { path } = onward;
  if (!path.includes('ticket=')) return onward;
  const [before = '', query = ''] = path.split('?');
  const kept = query.split('&').filter((pair) => !pair.startsWith('ticket='));
  return { ...onward, path: kept.length > 0 ? `${before}?${kept.join('&')}` : before };
}
