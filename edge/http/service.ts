import { type IRequest, Router } from 'itty-router';
import {
  type Endpoint,
  isSchema,
  type LimitName,
  MAX_JSON_BYTES,
  type Method,
  type RefusalForm,
} from '../contract/endpoint.ts';
import { discardRefused, expectBody, tooLarge } from './body.ts';
import { type Pace, paceBody } from './body-pace.ts';
import { type Call, callOf, type Guard, type Context } from './call.ts';
import type { Caller } from './caller.ts';
import { preflightResponse, writeCors } from './cors.ts';
import { respondOnce, isRepeatable, type IdempotencyRecords } from './idempotency.ts';
import { expectRoom, explained, type Space } from './disk-space.ts';
import { Problem, problemResponse } from './problem.ts';
import { refusalPage } from './refusal-page.ts';
import type { Route } from './route.ts';
import { REFUSAL_FORMS } from './refusal-forms.ts';
import { safePathOf } from './safe-path.ts';
import { secureData } from './security-headers.ts';
import { startTime } from './start-time.ts';
import { measured, noteRoute, type Reporting, reportSoon } from './telemetry.ts';
import { writeTrace } from './trace.ts';

/** Middleware of every request before its route. */
export interface Middleware<E> {
  /** Authenticates and authorises callers of endpoints that are not public. */
  readonly guard: Guard<E>;
  /** Counts a request to an endpoint with a limit of its own. @throws Problem rate_limited */
  readonly count: (call: Call<E>, caller: Caller, limit: LimitName) => void;
  /** The origins whose pages may call the service and read its answers. */
  readonly allowedOrigins: (env: E) => ReadonlySet<string>;
  /** Storage of a caller's responses by Idempotency-Key. */
  readonly idempotencyOf: (env: E, caller: Caller) => IdempotencyRecords;
  /** Minimum pace of request bodies; the default if omitted. */
  readonly paceOf?: (env: E) => Pace;
  /** Free space for stored data; not checked if omitted. */
  readonly spaceOf?: (env: E) => Space;
  /** Where and how often the service reports what it measures. */
  readonly reportingOf: (env: E) => Reporting;
}

export interface Service<E> extends Middleware<E> {
  /** Name in metrics. */
  readonly name: string;
  readonly routes: readonly Route<E>[];
  /** A path below which all refusals have the form of another protocol, also where no route is. */
  readonly refusalsBelow?: { readonly path: string; readonly form: RefusalForm };
  /** Answers what no route's path matches. */
  readonly fallback?: (call: Call<E>) => Response | Promise<Response>;
}

export type Serve<E> = (request: Request, env: E, ctx: Context) => Promise<Response>;

/**
 * Makes a service of its routes: finds the handler, answers 404 and 405, turns refusals into
 * problem documents, and gives every answer its trace and its security headers.
 */
export function createService<E>(service: Service<E>): Serve<E> {
  const { routes, allowedOrigins, fallback = nothingHere, paceOf } = service;
  const router = Router<IRequest, [Call<E>]>();
  for (const served of routes) {
    const run = async (request: IRequest, call: Call<E>) => {
      const { path, maxBodyBytes = MAX_JSON_BYTES } = served.endpoint;
      noteRoute(call.request, path);
      expectBody(call.request, maxBodyBytes);
      const entered = { ...call, params: decodeAll(request.params) };
      const { refusals } = served.endpoint;
      const answer = enter(service, served, entered);
      if (!refusals) return answer;
      return answer.catch((error: unknown) => refuse(service, call, error, refusals));
    };
    for (const name of answeredBy(served.endpoint.method))
      router[name.toLowerCase()]?.(served.endpoint.path, run);
  }

  /** `/models/register` is no model, whatever it is asked with. */
  const methodsOf = literalPaths(routes);
  const isOtherMethod = ({ request, url }: Call<E>) =>
    methodsOf.get(url.pathname)?.has(request.method) === false;
  const methodsMatching = (pathname: string) =>
    router.routes.filter(([, pattern]) => pattern.test(pathname)).map(([method]) => method);

  async function route(call: Call<E>): Promise<Response> {
    if (!URL.canParse(call.request.url)) {
      throw new Problem('invalid_parameter', 'The Host header does not name a host.');
    }
    safePathOf(call.request.url);
    const origins = allowedOrigins(call.env);
    writeCors(call.responseHeaders, call.request, origins);
    const preflight = preflightResponse(call.request, origins);
    if (preflight) return preflight;
    const answer = isOtherMethod(call)
      ? undefined
      : ((await router.fetch(call.request, call)) as Response | undefined);
    if (answer) return answer;
    const own = methodsOf.get(call.url.pathname);
    const methods = own ? [...own] : methodsMatching(call.url.pathname);
    return methods.length > 0 ? otherMethod(call, methods) : fallback(call);
  }

  return async (request, env, ctx) => {
    startTime();
    if (paceOf) paceBody(request.body, paceOf(env));
    const call = callOf(request, env, ctx);
    const answer = await measured(service.name, call, () =>
      route(call).catch((fault: unknown) => refuse(service, call, fault)),
    );
    reportSoon(service.name, service.reportingOf(env), ctx);
    return finish(answer, call);
  };
}

/**
 * The response to what a handler threw: in the form of the protocol that is spoken, else a page for
 * people who ask for one without credentials, else a problem document.
 */
async function refuse<E>(
  { spaceOf, refusalsBelow }: Service<E>,
  call: Call<E>,
  fault: unknown,
  own?: RefusalForm,
): Promise<Response> {
  const error = spaceOf ? await explained(fault, spaceOf(call.env)) : fault;
  await discardRefused(call.request, error);
  const occurrence = { instance: call.prefix + call.url.pathname, traceId: call.trace.traceId };
  const { path, form: below } = refusalsBelow ?? {};
  const isBelow = `${call.url.pathname}/`.startsWith(`${path}/`);
  const page = own && !isBelow ? undefined : refusalPage(error, call.request, occurrence);
  if (page) return page;
  const form = isBelow ? below : own;
  return form
    ? REFUSAL_FORMS[form].respond(error, call.request)
    : problemResponse(error, occurrence);
}

/** The methods of paths without a segment that varies. */
function literalPaths<E>(routes: readonly Route<E>[]): ReadonlyMap<string, ReadonlySet<string>> {
  const literal = routes.filter(({ endpoint }) => !endpoint.path.includes(':'));
  const byPath = Map.groupBy(literal, ({ endpoint }) => endpoint.path as string);
  return new Map(
    Array.from(byPath, ([path, those]) => [
      path,
      new Set(those.flatMap(({ endpoint }) => answeredBy(endpoint.method))),
    ]),
  );
}

/** Finds out who calls and, where the request asks for that, carries it out once only. */
async function enter<E>(
  { guard, count, idempotencyOf, spaceOf }: Middleware<E>,
  { endpoint, handle }: Route<E>,
  found: Call<E>,
): Promise<Response> {
  if (endpoint.access === 'public') return handle(found);
  const caller = await guard(found, endpoint.access);
  const call = { ...found, caller };
  if (endpoint.limit) count(call, caller, endpoint.limit);
  refuseTooLarge(endpoint, call.request);
  const isFile = endpoint.body && !isSchema(endpoint.body);
  if (isFile && spaceOf) await expectRoom(call.request, spaceOf(call.env));
  if (!isRepeatable(call.request)) return handle(call);
  const answer = respondOnce(
    idempotencyOf(call.env, caller),
    {
      request: call.request,
      keeps: !endpoint.secret,
      maxBytes: endpoint.maxBodyBytes ?? MAX_JSON_BYTES,
    },
    (request) => handle({ ...call, request }),
  );
  // Completed even if the caller disconnects: they will retry.
  call.ctx.waitUntil(answer.catch(() => {}));
  return answer;
}

/** A body that declares itself too large is neither read nor forwarded. */
function refuseTooLarge({ maxBodyBytes = Infinity }: Endpoint, { headers }: Request): void {
  if (Number(headers.get('content-length')) > maxBodyBytes) throw tooLarge(maxBodyBytes);
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
  const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  throw methodNotAllowed(request.method, url.pathname, allow);
}

export const methodNotAllowed = (method: string, path: string, allow: string) =>
  new Problem('method_not_allowed', `${path} does not take ${method}, expected ${allow}.`, {
    headers: { allow },
  });

function nothingHere<E>({ prefix, url }: Call<E>): never {
  throw new Problem('route_not_found', `Nothing is served at ${prefix}${url.pathname}.`);
}

/** Headers to which each service on the way adds its own. */
const LISTS: ReadonlySet<string> = new Set(['vary', 'ratelimit', 'ratelimit-policy']);

function finish<E>(answer: Response, { request, trace, responseHeaders }: Call<E>): Response {
  const headers = new Headers(answer.headers);
  for (const [name, value] of responseHeaders) {
    if (LISTS.has(name)) headers.append(name, value);
    else headers.set(name, value);
  }
  writeTrace(headers, trace);
  secureData(headers);
  // Of workerd: an upgrade passes with its answer.
  const { status, statusText, webSocket }: Response & { webSocket?: unknown } = answer;
  const body = request.method === 'HEAD' ? null : answer.body;
  const upgrade = webSocket ? { webSocket } : {};
  return new Response(body, { status, statusText, headers, ...upgrade });
}
