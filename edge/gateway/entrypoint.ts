import type { Context, Passed } from '../http/call.ts';
import { BUILT_IN, type BuiltInName } from './upstreams.ts';

/** A service of this Worker, to be asked without the network. */
export function entrypointOf(ctx: Context, name: BuiltInName, props: Passed = {}): Fetcher {
  // Every service of this Worker runs in workerd, whose context has the Worker's entrypoints.
  const { exports } = ctx as ExecutionContext<Passed>;
  return exports[BUILT_IN[name]]({ props });
}
