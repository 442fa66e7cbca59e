import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { teamOf, type Used } from '../http/ownership.ts';
import { refuseFull, writeCaller } from './socket-quota.ts';

export type CountResult =
  | { readonly kind: 'held'; readonly stream: Disposable }
  | { readonly kind: 'full'; readonly used: Used };

/** The call of a holder that counts a stream. */
export interface StreamCounter {
  hold(caller: Caller): CountResult;
}

/** The object that holds the sockets and counts the streams of a team. */
export const socketsOf = ({ SOCKETS }: Pick<Env, 'SOCKETS'>, team: string) =>
  SOCKETS.getByName<StreamCounter>(`team ${team}`);

/** The `fetch` for upgrades: it goes through the object that holds the sockets of the caller's team. */
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
