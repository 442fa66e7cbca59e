import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { IDENTITY_HEADER } from '../../edge/contract/identity.ts';
import { Scope } from '../../edge/contract/scope.ts';
import { DEFAULT_TEAM } from '../../edge/contract/team.ts';
import type { RequestProps } from '../../edge/http/call.ts';
import { isLoopbackName, PROXY_SIGNS } from '../../edge/http/origin.ts';
import { Problem } from '../../edge/http/problem.ts';
import type { SignedRequest, VerifyIdentity } from './gateway-identity.ts';

/** `local`: this machine needs no credentials. `required`: everybody does. */
export type AuthMode = 'local' | 'required';

/** Everything but running tests: what people at this very machine may do. */
const LOCAL_SCOPES = Scope.options.filter((scope) => scope !== 'test:run');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a connection comes from this machine. */
function isFromHere({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d)/, '');
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

interface PeerRules {
  readonly auth: AuthMode;
  readonly verifyIdentity: VerifyIdentity;
}

/**
 * Who calls: whom the gateway's signature names; else, where no credentials are needed, a person or
 * program at this machine. No other header and no address says who somebody is.
 */
export async function passedBy(request: IncomingMessage, rules: PeerRules): Promise<RequestProps> {
  const token = request.headers[IDENTITY_HEADER];
  if (token === undefined) return callerHere(request, rules.auth);
  const { method = 'GET', url: path = '/' } = request;
  return proved(String(token), { method, path }, rules.verifyIdentity);
}

/** The same for what came over a connection to the gateway: nobody there is at this machine. */
export async function passedOver(
  { headers, method }: Request,
  path: string,
  verifyIdentity: VerifyIdentity,
): Promise<RequestProps> {
  const token = headers.get(IDENTITY_HEADER);
  if (token === null) return { isHere: false };
  return proved(token, { method, path }, verifyIdentity);
}

async function proved(
  token: string,
  request: SignedRequest,
  verifyIdentity: VerifyIdentity,
): Promise<RequestProps> {
  try {
    const { caller, here } = await verifyIdentity(token, request);
    return { caller, isHere: here, isForwarded: true };
  } catch (error) {
    if (error instanceof Problem) return { refusal: error };
    throw error;
  }
}

/**
 * Over a connection of this machine, to a name that only this machine has: a page whose name was pointed
 * here (DNS rebinding) calls by that name and is not local, and neither is a request that says it comes
 * through a proxy.
 */
function callerHere(request: IncomingMessage, auth: AuthMode): RequestProps {
  const { headers } = request;
  const address = URL.parse(`http://${headers.host ?? ''}`);
  const isProxied = PROXY_SIGNS.some((name) => headers[name] !== undefined);
  const isHere =
    isFromHere(request) && !isProxied && address !== null && isLoopbackName(address.hostname);
  const place = { isHere, address: request.socket.remoteAddress ?? '' };
  if (!isHere || auth !== 'local') return place;
  return { ...place, caller: { kind: 'local', team: DEFAULT_TEAM, scopes: LOCAL_SCOPES } };
}
