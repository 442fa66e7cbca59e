import type { Access } from '../contract/scope.ts';
import type { Caller } from './caller.ts';
import type { Problem } from './problem.ts';
import { type Trace, traceOf } from './trace.ts';

/** Context of one request, as every handler needs it. */
export interface Call<E> {
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly trace: Trace;
  /** The path the gateway took off, such as `/registry`; for links in answers. */
  readonly prefix: string;
  /** The caller; anonymous before authentication and on public endpoints. */
  readonly caller: Caller;
  /** The caller as authenticated by the gateway; out of band, so it cannot be forged. */
  readonly forwardedCaller: Caller | undefined;
  /** Headers of every response to this call, refusals included. */
  readonly responseHeaders: Headers;
  readonly env: E;
  readonly ctx: Context;
}

/** Execution context of workerd or of a Node service. */
export interface Context {
  readonly props: RequestProps;
  waitUntil(work: Promise<unknown>): void;
}

/** Out-of-band data of a request: from the gateway of the same Worker, or from a connection of Node. */
export interface RequestProps {
  readonly caller?: Caller;
  /** The caller is at the very machine that the platform runs on; known to services of Node. */
  readonly isHere?: boolean;
  /** The other end of the connection; known to services of Node. */
  readonly address?: string;
  /** The gateway passed the request on, and proved that it did; known to services of Node. */
  readonly isForwarded?: boolean;
  /** Why what the request says of its caller was not believed: public endpoints answer it all the same. */
  readonly refusal?: Problem;
}

/**
 * Says who calls. @throws Problem unauthenticated, forbidden or origin_not_allowed where that does
 * not give access
 */
export type Guard<E> = (call: Call<E>, access: Access) => Caller | Promise<Caller>;

export function callOf<E>(request: Request, env: E, ctx: Context): Call<E> {
  const prefix = request.headers.get('x-forwarded-prefix') ?? '';
  return {
    request,
    url: URL.parse(request.url) ?? new URL('http://host.invalid/'),
    params: {},
    trace: traceOf(request.headers),
    prefix: /^(?:\/[a-z0-9-]{1,63}){1,8}$/.test(prefix) ? prefix : '',
    caller: { kind: 'anonymous' },
    forwardedCaller: ctx.props.caller,
    responseHeaders: new Headers(),
    env,
    ctx,
  };
}
