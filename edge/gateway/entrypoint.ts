import type { Context, Passed } from '../http/call.ts';
import { BUILT_IN, type BuiltInName } from './upstreams.ts';

/** The context of a request in workerd, which has the entrypoints of worker.ts. */
interface WorkerContext extends Context {
  readonly exports: Readonly<
    Record<(typeof BUILT_IN)[BuiltInName], (options: { readonly props: Passed }) => Fetcher>
  >;
}

/** A service of this Worker, to be asked without the network. */
export const entrypointOf = (ctx: Context, name: BuiltInName, props: Passed = {}): Fetcher =>
  // Every service of this Worker runs in workerd.
  (ctx as WorkerContext).exports[BUILT_IN[name]]({ props });
