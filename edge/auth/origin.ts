import type { Env } from '../env.ts';
import { parseOrigins } from '../http/cors.ts';
import { Problem } from '../http/problem.ts';

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

let latest: { readonly setting: unknown; readonly origins: ReadonlySet<string> } | undefined;

/** The origins whose pages may call us; the setting is parsed once in an isolate's life. */
export function allowedOrigins({ CORS_ORIGINS }: Pick<Env, 'CORS_ORIGINS'>): ReadonlySet<string> {
  if (latest?.setting !== CORS_ORIGINS || latest === undefined) {
    latest = { setting: CORS_ORIGINS, origins: parseOrigins(CORS_ORIGINS) };
  }
  return latest.origins;
}

/**
 * Whether a request comes from this machine itself: by a name that only this machine has, so that
 * no name of a stranger's that was pointed here counts (DNS rebinding), and through no proxy.
 */
export function isFromHere({ headers }: Request, url: URL): boolean {
  const isProxied = headers.has('x-forwarded-for') || headers.has('forwarded');
  return LOOPBACK.test(url.hostname) && !isProxied;
}

/**
 * Refuses what a page of another origin sends where the browser adds the credentials by itself.
 *
 * @throws Problem origin_not_allowed
 */
export function checkOrigin({ headers }: Request, url: URL, allowed: ReadonlySet<string>): void {
  const origin = headers.get('origin');
  if (origin === null ? headers.get('sec-fetch-site') !== 'cross-site' : isSame(origin, url))
    return;
  if (origin !== null && allowed.has(origin)) return;
  throw new Problem(
    'origin_not_allowed',
    `Pages of ${origin ?? 'another site'} may not do this, expected ${url.origin}.`,
  );
}

/** By host: in front of a proxy that ends TLS, the page's scheme is another one than ours. */
function isSame(origin: string, url: URL): boolean {
  return URL.parse(origin)?.host === url.host;
}
