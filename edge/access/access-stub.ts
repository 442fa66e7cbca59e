import type { Env } from '../env.ts';
import type { Access } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';

/** One object holds all keys and sessions: a revocation must hold everywhere at once. */
export function accessOf(env: Pick<Env, 'ACCESS'>): Remote<Access> {
  return env.ACCESS.getByName<Access>(MAIN);
}
