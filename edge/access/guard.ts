import { FIRST_KEY_NEEDED, lacksFirstKey } from './contract/first-key.ts';
import type { Env } from '../env.ts';
import type { Call, Guard } from '../http/call.ts';
import { allows } from '../http/caller.ts';
import { identify } from './identify.ts';
import { missingScope, noCredentials } from './refusals.ts';

export { identify };

/** Lets a call pass that may use an endpoint. @throws Problem unauthenticated or forbidden */
export const guard: Guard<Env> = async (call, access) => {
  const caller = await identify(call);
  if (allows(caller, access)) return caller;
  throw caller.kind === 'anonymous' ? noCredentials(whyNone(call)) : missingScope(access);
};

function whyNone({ env, url }: Call<Env>): string {
  if (lacksFirstKey(env)) return `This needs credentials. ${FIRST_KEY_NEEDED}.`;
  if (env.AUTH_MODE === 'required') return 'This needs credentials, and the request has none.';
  return `Without credentials, only this machine may do this: by its own name, not as ${url.host}, and through no proxy.`;
}
