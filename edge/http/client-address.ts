import { parseIp, unwrapIp } from './ip-address.ts';

/** Callers without a known address are counted as one. */
const UNKNOWN = 'unknown';
/** Whoever has one IPv6 address has all that share these bits with it (RFC 6177). */
const SUBNET_BITS = 64n;

interface Arrived {
  readonly headers: Headers;
  readonly cf?: unknown;
}

/**
 * The address that a request comes from. A self-hosted runtime knows the peer of the connection;
 * only Cloudflare, which does not, writes `CF-Connecting-IP` itself. Elsewhere that header, like
 * `X-Forwarded-For`, is whatever the caller wrote.
 */
export function clientAddress({ headers, cf }: Arrived): string {
  const peer = peerOf(cf);
  if (peer !== undefined) return withoutPort(peer);
  return headers.get('cf-connecting-ip') ?? UNKNOWN;
}

/** True behind Cloudflare's network; a self-hosted runtime knows the peer instead. */
export const isBehindNetwork = ({ cf }: Pick<Arrived, 'cf'>): boolean =>
  cf !== undefined && cf !== null && peerOf(cf) === undefined;

function peerOf(cf: unknown): string | undefined {
  const { clientIp } = (cf ?? {}) as { readonly clientIp?: unknown };
  return typeof clientIp === 'string' ? clientIp : undefined;
}

/** Unit of rate limiting: an IPv4 address, or a subnet of IPv6. */
export function addressGroup(address: string): string {
  const ip = parseIp(address);
  if (!ip) return UNKNOWN;
  const { bits, value } = unwrapIp(ip);
  return bits === 32 ? `4:${value.toString(16)}` : `6:${(value >> SUBNET_BITS).toString(16)}`;
}

/** `10.0.0.1:5000` and `[::1]:5000`; an address without a port as it is. */
function withoutPort(peer: string): string {
  const [, bracketed, plain] = /^(?:\[(.*)\]|([^:]*))(?::\d+)?$/.exec(peer) ?? [];
  return bracketed ?? plain ?? peer;
}
