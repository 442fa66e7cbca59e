import { byToken } from '../access/identify.ts';
import { countFailure, type Presenter } from '../access/limits.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../http/caller.ts';
import { holderOf } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { Login } from './mqtt/broker-state.ts';
import type { SocketOwner } from './socket-link.ts';

/**
 * Who a CONNECT comes from: its password is an API key or a token, whatever the user name. Without one
 * it is whoever opened the WebSocket. Undefined: nobody who may be here.
 */
export function authenticate(
  env: Env,
  { password }: Login,
  { caller }: SocketOwner,
): Caller | undefined | Promise<Caller | undefined> {
  if (!password) return caller.kind === 'anonymous' ? undefined : caller;
  return byPassword({ env, from: holderOf(caller) }, new TextDecoder().decode(password));
}

async function byPassword(presenter: Presenter, text: string): Promise<Caller | undefined> {
  try {
    return (await byToken(presenter, text)).caller;
  } catch (error) {
    // Whatever is wrong with a credential, its bearer is told no more than that it does not hold.
    if (!(error instanceof Problem)) throw error;
    return counted(presenter, error);
  }
}

function counted(presenter: Presenter, refusal: Problem): undefined {
  try {
    countFailure(presenter, refusal);
  } catch {
    // He is told the same; from here on nothing is looked up for him.
  }
}
