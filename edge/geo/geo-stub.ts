import type { Env } from '../env.ts';
import type { Geo } from './object.ts';
import type { Remote } from '../storage/remote.ts';
import { geoConfigOf } from './config.ts';

/** One object decides which region is active: two could decide otherwise. */
export function geoOf(env: Pick<Env, 'GEO' | 'GEO_NODE_MANAGER'>): Remote<Geo> {
  return env.GEO.getByName<Geo>(geoConfigOf(env).state_file);
}
