import { DEFAULT_TEAM } from '../contract/team.ts';
import type { Env } from '../env.ts';
import type { Remote } from '../storage/remote.ts';
import type { Traces } from './object.ts';

export type TraceCalls = Remote<Pick<Traces, 'add' | 'spans'>>;

/** One object stores the spans of a team: ids of traces are made by those who send them. */
export function tracesOf({ TRACES }: Pick<Env, 'TRACES'>, team: string): TraceCalls {
  const name = team === DEFAULT_TEAM ? 'main' : `team ${team}`;
  return TRACES.getByName(name) as unknown as TraceCalls;
}
