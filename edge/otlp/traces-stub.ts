import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Env } from '../env.ts';
import { MAIN, type Remote } from '../storage/remote.ts';
import type { Traces } from './object.ts';

/** One object stores the spans of a team: ids of traces are made by those who send them. */
export function tracesOf({ TRACES }: Pick<Env, 'TRACES'>, team: string): Remote<Traces> {
  const name = team === DEFAULT_TEAM ? MAIN : `team ${team}`;
  return TRACES.getByName<Traces>(name);
}
