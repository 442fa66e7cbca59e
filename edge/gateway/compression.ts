import { isBehindNetwork } from '../http/client-address.ts';

/** Text formats of the dashboard; everything else is packed already. */
const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json|manifest\+json|wasm)|image\/svg)/;

/**
 * Has the runtime compress a file on its way out. In a deployment the network before the Worker
 * does that, and better; on a machine of one's own there is none.
 */
export function compressOnTheWay(headers: Headers, request: Request): void {
  if (isBehindNetwork(request) || !COMPRESSIBLE.test(headers.get('content-type') ?? '')) return;
  headers.append('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) return;
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  // RFC 9110, section 8.8.3: other bytes, so no longer the same strong validator.
  const etag = headers.get('etag');
  if (etag?.startsWith('"')) headers.set('etag', `W/${etag}`);
}
