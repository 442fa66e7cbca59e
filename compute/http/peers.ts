import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { Scope } from '../../edge/contract/scope.ts';
import type { Passed } from '../../edge/http/call.ts';
import type { Caller } from '../../edge/http/caller.ts';
import { isLoopbackName } from '../../edge/http/origin.ts';

/** `local`: this machine needs no credentials. `required`: everybody does. */
export type AuthMode = 'local' | 'required';

/** How the gateway says who calls; it takes these off requests of others. */
export const CALLER = 'x-spikegrid-caller';
const SCOPES = 'x-spikegrid-scopes';
/** How it says that a caller is at its own machine: `here`. */
const PLACE = 'x-spikegrid-place';

/** Everything but running tests: what people at this very machine may do. */
const LOCAL_SCOPES = Scope.options.filter((scope) => scope !== 'test:run');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a connection comes from this machine. */
export function isFromHere({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d)/, '');
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Who calls, as far as the connection says so, and whether he is at this machine. */
export function passedBy(request: IncomingMessage, authMode: AuthMode): Passed {
  const caller = callerHere(request, authMode);
  return { ...(caller && { caller }), isHere: isCallerHere(request) };
}

/** Of whom the gateway names, it says where he is: all of its connections come from its machine. */
function isCallerHere(request: IncomingMessage): boolean {
  const { headers } = request;
  if (!isFromHere(request)) return false;
  if (headers[CALLER] !== undefined) return headers[PLACE] === 'here';
  return headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

/**
 * Who calls over a connection from this machine: whom the gateway names, as it looked at him, else,
 * where no credentials are needed, a person or program here. Undefined for everybody else.
 *
 * A page whose name was pointed at this machine (DNS rebinding) calls it by that name and is nobody.
 */
function callerHere(request: IncomingMessage, authMode: AuthMode): Caller | undefined {
  const { headers } = request;
  const address = URL.parse(`http://${headers.host ?? ''}`);
  if (!isFromHere(request) || !address || !isLoopbackName(address.hostname)) return undefined;
  if (headers[CALLER] !== undefined) return namedCaller(request);
  const isProxied = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return authMode === 'required' || isProxied ? undefined : { kind: 'local', scopes: LOCAL_SCOPES };
}

function namedCaller({ headers }: IncomingMessage): Caller {
  const [kind, id = ''] = String(headers[CALLER]).split(/:(.*)/s);
  const scopes = String(headers[SCOPES] ?? '')
    .split(' ')
    .flatMap((name) => Scope.safeParse(name).data ?? []);
  if (kind === 'local') return { kind, scopes };
  if (kind !== 'key' && kind !== 'token' && kind !== 'session') return { kind: 'anonymous' };
  const identity = { id: decodeURI(id), scopes, until: null };
  return kind === 'session' ? { kind, sessionId: id, ...identity } : { kind, ...identity };
}
