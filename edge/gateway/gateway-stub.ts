import type { Env } from '../env.ts';
import type { Gateway } from './object.ts';
import { MAIN, type Remote } from '../storage/remote.ts';

/** One object holds the services of the whole platform. */
export function gatewayOf({ GATEWAY }: Pick<Env, 'GATEWAY'>): Remote<Gateway> {
  return GATEWAY.getByName<Gateway>(MAIN);
}
