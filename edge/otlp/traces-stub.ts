import type { Env } from '../env.ts';
import type { Remote } from '../objects/remote.ts';
import type { Traces } from '../objects/traces-object.ts';

export type TraceCalls = Remote<Pick<Traces, 'add' | 'spans'>>;

/** One object stores the spans of the whole platform. */
export function tracesOf({ TRACES }: Pick<Env, 'TRACES'>): TraceCalls {
  return TRACES.getByName('main') as unknown as TraceCalls;
}
