import { allows, type Caller } from '../http/caller.ts';
import { quotaRefusal, teamOf, type Used } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';

/** The limit for administrators, and with them for all tabs and programs of this machine. */
const MAX_OF_ADMINISTRATORS = 200;

/** Carries the caller of a socket to the object that holds it. */
export const SOCKET_CALLER = 'x-spikegrid-socket-caller';
/**
 * Reports to the gateway that the quota is exhausted, with the usage as JSON: no service was
 * called.
 */
const SOCKETS_FULL = 'x-spikegrid-sockets-full';

export const callerIn = (headers: Headers): Caller =>
  JSON.parse(decodeURIComponent(headers.get(SOCKET_CALLER) ?? ''));

export function writeCaller(headers: Headers, caller: Caller): void {
  headers.set(SOCKET_CALLER, encodeURIComponent(JSON.stringify(caller)));
}

/** The 429 response to a caller whose quota is exhausted; otherwise undefined. */
export function fullAnswer(caller: Caller, used: Used, settings: unknown): Response | undefined {
  if (!socketRefusal(caller, used, settings)) return undefined;
  return new Response(null, { status: 429, headers: { [SOCKETS_FULL]: JSON.stringify(used) } });
}

/** @throws Problem rate_limited where a response reports an exhausted quota */
export function refuseFull({ headers }: Response, caller: Caller, settings: unknown): void {
  const used = headers.get(SOCKETS_FULL);
  const refusal = used === null ? undefined : socketRefusal(caller, JSON.parse(used), settings);
  if (refusal) throw refusal;
}

/** The refusal of one more WebSocket or event stream; undefined where the caller may open it. */
export function socketRefusal(caller: Caller, used: Used, settings: unknown): Problem | undefined {
  if (!allows(caller, 'admin')) {
    return quotaRefusal(teamOf(caller), { quota: 'sockets', used, settings });
  }
  if (used.owner < MAX_OF_ADMINISTRATORS) return undefined;
  return new Problem(
    'rate_limited',
    `${used.owner} WebSockets and streams are open, which is as many as there may be: close one first.`,
    { headers: { 'retry-after': '5' } },
  );
}
