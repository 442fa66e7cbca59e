import { type IRequest, Router } from 'itty-router';
import type { Method } from '../contract/endpoint.ts';
import { type Call, callOf, type Guard, type Passed } from './call.ts';
import { Problem, problemResponse } from './problem.ts';
import type { Route } from './route.ts';
import { safePathOf } from './safe-path.ts';
import { secureData } from './security-headers.ts';
import { writeTrace } from './trace.ts';

export interface Service<E> {
  readonly routes: readonly Route<E>[];
  /** Looks at who calls before an endpoint that is not public does anything. */
  readonly guard: Guard<E>;
  /** Answers what no route's path matches. */
  readonly fallback?: (call: Call<E>) => Response | Promise<Response>;
}

export type Serve<E> = (
  request: Request,
  env: E,
  ctx: ExecutionContext<Passed>,
) => Promise<Response>;

/**
 * Makes a service of its routes: finds the handler, answers 404 and 405, turns refusals into
 * problem documents, and gives every answer its trace and its security headers.
 */
export function createService<E>({ routes, guard, fallback = nothingHere }: Service<E>): Serve<E> {
  const router = Router<IRequest, [Call<E>]>();
  for (const { endpoint, handle } of routes) {
    const run = async (request: IRequest, found: Call<E>) => {
      const call = { ...found, params: decodeAll(request.params) };
      if (endpoint.access === 'public') return handle(call);
      return handle({ ...call, caller: await guard(call, endpoint.access) });
    };
    for (const name of answeredBy(endpoint.method))
      router[name.toLowerCase()]?.(endpoint.path, run);
  }

  async function route(call: Call<E>): Promise<Response> {
    if (!URL.canParse(call.request.url)) {
      throw new Problem('invalid_parameter', 'The Host header does not name a host.');
    }
    safePathOf(call.request.url);
    const answer: Response | undefined = await router.fetch(call.request, call);
    if (answer) return answer;
    const methods = router.routes
      .filter(([, pattern]) => pattern.test(call.url.pathname))
      .map(([method]) => method);
    return methods.length > 0 ? otherMethod(call, methods) : fallback(call);
  }

  return async (request, env, ctx) => {
    const call = callOf(request, env, ctx);
    const answer = await route(call).catch((error: unknown) =>
      problemResponse(error, {
        instance: call.prefix + call.url.pathname,
        traceId: call.trace.traceId,
      }),
    );
    return finish(answer, call);
  };
}

const answeredBy = (method: Method): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method];

/** The path was found safe already, so a decoded parameter holds no separator. */
function decodeAll(params: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const [name, text] of Object.entries(params)) {
    try {
      decoded[name] = decodeURIComponent(text);
    } catch {
      throw new Problem('invalid_parameter', `The segment ${text} of the path is not UTF-8.`);
    }
  }
  return decoded;
}

function otherMethod<E>({ request, url }: Call<E>, methods: readonly string[]): Response {
  const allow = [...new Set(methods), 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  throw methodNotAllowed(request.method, url.pathname, allow);
}

export const methodNotAllowed = (method: string, path: string, allow: string) =>
  new Problem('method_not_allowed', `${path} does not take ${method}, expected ${allow}.`, {
    headers: { allow },
  });

function nothingHere<E>({ url }: Call<E>): never {
  throw new Problem('route_not_found', `Nothing is served at ${url.pathname}.`);
}

function finish<E>(answer: Response, { request, trace }: Call<E>): Response {
  const headers = new Headers(answer.headers);
  writeTrace(headers, trace);
  secureData(headers);
  const { status, statusText, webSocket } = answer;
  const body = request.method === 'HEAD' ? null : answer.body;
  return new Response(body, { status, statusText, headers, webSocket });
}
