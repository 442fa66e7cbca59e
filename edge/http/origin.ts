import { Problem } from './problem.ts';

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for host names (without port) that always mean the machine itself. */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK.test(hostname);

/** True for origins on this machine. */
export const isLoopbackOrigin = (origin: string): boolean =>
  isLoopbackName(URL.parse(origin)?.hostname ?? '');

/**
 * True if a request comes from this machine: by a name that only this machine has, so that
 * no name of a stranger's that was pointed here counts (DNS rebinding), and through no proxy.
 */
export function isFromHere({ headers }: Request, url: URL): boolean {
  return isLoopbackName(url.hostname) && !PROXY_SIGNS.some((name) => headers.has(name));
}

/** Headers of proxies. They only ever reduce trust. */
export const PROXY_SIGNS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const;

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
