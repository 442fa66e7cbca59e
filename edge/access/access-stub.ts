import type { Env } from '../env.ts';
import type { Access } from './object.ts';
import type { Remote } from '../storage/remote.ts';

/** One object holds all keys and sessions: a revocation must hold everywhere at once. */
export function accessOf(env: Pick<Env, 'ACCESS'>): Remote<Access> {
  // The runtime's own type of a stub does not see through the unions these methods answer with.
  return env.ACCESS.getByName('main') as unknown as Remote<Access>;
}
