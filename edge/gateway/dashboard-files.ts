import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { isBehindNetwork } from '../http/client-address.ts';
import { Problem } from '../http/problem.ts';
import { securePage, secureSandbox } from '../http/security-headers.ts';
import { methodNotAllowed } from '../http/service.ts';
import { ASSETS_PREFIX, pageOf, SANDBOX_PREFIX } from './contract/pages.ts';

export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Cached, but revalidated each time: an unchanged file gives 304. */
export const REVALIDATE = 'no-cache';

export const isReading = (method: string) => method === 'GET' || method === 'HEAD';

/** The dashboard's page or file at this path, or undefined where the path is not one of its own. */
export async function dashboardResponse(call: Call<Env>): Promise<Response | undefined> {
  const { request, url } = call;
  const path = url.pathname;
  const page = pageOf(path);
  if (!page && !isFilePath(path)) return undefined;
  if (!isReading(request.method)) throw methodNotAllowed(request.method, path, 'GET, HEAD');
  return page ? pageAnswer(call, 200) : fileResponse(call);
}

/** The dashboard's 404 page for people; programs get a problem document. */
export async function notFoundPage(call: Call<Env>): Promise<Response | undefined> {
  return wantsPage(call.request) ? pageAnswer(call, 404) : undefined;
}

export const wantsPage = ({ method, headers }: Request) =>
  isReading(method) && (headers.get('accept') ?? '').includes('text/html');

/** Hashed files, and files such as /favicon.svg next to the page. */
function isFilePath(path: string): boolean {
  return path.startsWith(ASSETS_PREFIX) || /^\/[\w-][\w.-]*\.[a-z0-9]+$/.test(path);
}

async function pageAnswer(call: Call<Env>, status: 200 | 404): Promise<Response> {
  const page = await readAsset(call, '/index.html', status === 200 ? 'current' : 'always');
  if (page.status === 404) {
    throw new Problem('route_not_found', 'The dashboard was not built for this deployment.');
  }
  const headers = dashboardHeaders(page, call, REVALIDATE);
  headers.append('vary', 'accept');
  return new Response(page.body, { status: page.status === 200 ? status : page.status, headers });
}

async function fileResponse(call: Call<Env>): Promise<Response | undefined> {
  const path = call.url.pathname;
  const file = await readAsset(call, path, 'current');
  if (file.status === 404) return undefined;
  const caching = path.startsWith(ASSETS_PREFIX) ? IMMUTABLE : REVALIDATE;
  return new Response(file.body, {
    status: file.status,
    headers: dashboardHeaders(file, call, caching),
  });
}

export function dashboardHeaders(
  asset: Response,
  { request, url }: Call<Env>,
  caching: string,
): Headers {
  const headers = new Headers(asset.headers);
  headers.delete('cf-cache-status');
  headers.set('cache-control', caching);
  const secure = url.pathname.startsWith(SANDBOX_PREFIX) ? secureSandbox : securePage;
  secure(headers);
  compressResponse(headers, request);
  return headers;
}

/**
 * Reads a file of the build. Only an existing page may be revalidated: a 304 does not say whether a
 * page exists.
 */
export function readAsset(
  { request, url, env }: Call<Env>,
  path: string,
  when: 'current' | 'always',
): Promise<Response> {
  const headers = new Headers();
  const known = request.headers.get('if-none-match');
  if (when === 'current' && known !== null) headers.set('if-none-match', known);
  return env.ASSETS.fetch(new URL(path, url), { method: request.method, headers });
}

/** Text formats of the dashboard; everything else is compressed already. */
const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json|manifest\+json|wasm)|image\/svg)/;

/**
 * Makes the runtime compress a file. In a deployment the network in front of the Worker does that,
 * and better.
 */
function compressResponse(headers: Headers, request: Request): void {
  if (isBehindNetwork(request) || !COMPRESSIBLE.test(headers.get('content-type') ?? '')) return;
  headers.append('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return;
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  // RFC 9110, section 8.8.3: the bytes differ, so the validator is no longer strong.
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) headers.set('etag', `W/${etag}`);
}
