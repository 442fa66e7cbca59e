import { Scope } from '../contract/scope.ts';
import type { Env } from '../env.ts';
import type { Call, Guard } from '../http/call.ts';
import { allows, type Caller } from '../http/caller.ts';
import { Problem } from '../http/problem.ts';

const LOCAL: Caller = {
  kind: 'local',
  scopes: Scope.options.filter((scope) => scope !== 'test:run'),
};

/**
 * Who calls, by what the gateway found out already, else by the credentials of the request;
 * anonymous where it has none.
 */
export async function identify({ env, passedCaller }: Call<Env>): Promise<Caller> {
  if (passedCaller) return passedCaller;
  return env.AUTH_MODE === 'local' ? LOCAL : { kind: 'anonymous' };
}

/** Lets a call pass that may use an endpoint. @throws Problem unauthenticated or forbidden */
export const guard: Guard<Env> = async (call, access) => {
  const caller = await identify(call);
  if (allows(caller, access)) return caller;
  if (caller.kind === 'anonymous') {
    throw new Problem('unauthenticated', 'This needs credentials, and the request has none.');
  }
  throw new Problem('forbidden', `This needs the scope ${access}, which the caller does not have.`);
};
