import type { Env } from '../env.ts';
import { allows, type Caller } from '../http/caller.ts';
import { quotaRefusal, teamOf, type Used } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';

/** What administrators may have open at once, and with them all tabs and programs of this machine. */
const MOST_OF_ADMINISTRATORS = 200;

/** Tells the object that holds sockets whose they are. */
export const SOCKET_CALLER = 'x-spikegrid-socket-caller';
/** Tells the gateway that one more is too much, with what there is as JSON: no service was asked. */
export const SOCKETS_FULL = 'x-spikegrid-sockets-full';

export const callerIn = (headers: Headers): Caller =>
  JSON.parse(decodeURIComponent(headers.get(SOCKET_CALLER) ?? ''));

export function writeCaller(headers: Headers, caller: Caller): void {
  headers.set(SOCKET_CALLER, encodeURIComponent(JSON.stringify(caller)));
}

/** A stream is counted until it is disposed of, or the isolate that sends it dies. */
export type HeldResult =
  | { readonly kind: 'held'; readonly stream: Disposable }
  | { readonly kind: 'full'; readonly used: Used };

export interface StreamCounter {
  hold(caller: Caller): HeldResult;
}

/** The object that holds the sockets and counts the streams of a team. */
export const socketsOf = ({ SOCKETS }: Pick<Env, 'SOCKETS'>, team: string) =>
  SOCKETS.getByName<StreamCounter>(`team ${team}`);

/** What `fetch` is for an upgrade: it goes through the object that holds the sockets of its caller's team. */
export function fetchSocket(env: Pick<Env, 'SOCKETS' | 'QUOTAS'>, caller: Caller): typeof fetch {
  const holder: Pick<Fetcher, 'fetch'> = socketsOf(env, teamOf(caller));
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    writeCaller(headers, caller);
    const answer = await holder.fetch(input, { ...init, headers });
    refuseFull(answer, caller, env.QUOTAS);
    return answer;
  };
}

/** What a holder of sockets answers a caller who has as many as he may; undefined where he has not. */
export function fullAnswer(caller: Caller, used: Used, settings: unknown): Response | undefined {
  if (!socketRefusal(caller, used, settings)) return undefined;
  return new Response(null, { status: 429, headers: { [SOCKETS_FULL]: JSON.stringify(used) } });
}

/** @throws Problem rate_limited where a holder of sockets has answered that */
export function refuseFull({ headers }: Response, caller: Caller, settings: unknown): void {
  const used = headers.get(SOCKETS_FULL);
  const refusal = used === null ? undefined : socketRefusal(caller, JSON.parse(used), settings);
  if (refusal) throw refusal;
}

/** Why a caller may not open one more WebSocket or stream of events; undefined where he may. */
export function socketRefusal(caller: Caller, used: Used, settings: unknown): Problem | undefined {
  if (!allows(caller, 'admin')) {
    return quotaRefusal(teamOf(caller), { quota: 'sockets', used, settings });
  }
  if (used.owner < MOST_OF_ADMINISTRATORS) return undefined;
  return new Problem(
    'rate_limited',
    `${used.owner} WebSockets and streams are open, which is as many as there may be: close one first.`,
    { headers: { 'retry-after': '5' } },
  );
}
