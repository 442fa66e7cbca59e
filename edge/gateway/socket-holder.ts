import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { holderOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';

/** How many WebSockets a caller may have open at once. A key and its sessions are one caller. */
const MOST_SOCKETS = 20;
/** Everybody at this machine is one caller, each tab and program of theirs a socket or more. */
const MOST_LOCAL_SOCKETS = 200;

/** Tells the object that holds sockets whose they are. */
export const SOCKET_CALLER = 'x-spikegrid-socket-caller';
/** Tells the gateway that the caller has as many as he may have: no service was asked. */
export const SOCKETS_FULL = 'x-spikegrid-sockets-full';

export const callerIn = (headers: Headers): Caller =>
  JSON.parse(decodeURIComponent(headers.get(SOCKET_CALLER) ?? ''));

export function writeCaller(headers: Headers, caller: Caller): void {
  headers.set(SOCKET_CALLER, encodeURIComponent(JSON.stringify(caller)));
}

export const mostSockets = ({ kind }: Caller): number =>
  kind === 'local' ? MOST_LOCAL_SOCKETS : MOST_SOCKETS;

/** What `fetch` is for an upgrade: it goes through the object that holds the sockets of its caller. */
export function fetchSocket({ SOCKETS }: Pick<Env, 'SOCKETS'>, caller: Caller): typeof fetch {
  const holder = SOCKETS.getByName(holderOf(caller));
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    writeCaller(headers, caller);
    const answer = await holder.fetch(input, { ...init, headers });
    if (!answer.headers.has(SOCKETS_FULL)) return answer;
    throw socketsFull(caller);
  };
}

/** The refusal of a caller who has as many WebSockets open as he may have. */
export const socketsFull = (caller: Caller): Problem =>
  new Problem(
    'rate_limited',
    `${mostSockets(caller)} WebSockets are open, which is as many as there may be: close one first.`,
    { headers: { 'retry-after': '5' } },
  );
