import { WORKER_SERVICES, type WorkerServiceName } from '../contract/worker-services.ts';
import type { Context, RequestProps } from '../http/call.ts';

type Entrypoint = (typeof WORKER_SERVICES)[WorkerServiceName]['entrypoint'];

/** The context of a request in workerd, which has the entrypoints of worker.ts. */
interface WorkerContext extends Context {
  readonly exports: Readonly<
    Record<Entrypoint, (options: { readonly props: RequestProps }) => Fetcher>
  >;
}

/** A service of this Worker, to be asked without the network. */
export const entrypointOf = (
  ctx: Context,
  name: WorkerServiceName,
  props: RequestProps = {},
): Fetcher =>
  // Every service of this Worker runs in workerd.
  (ctx as WorkerContext).exports[WORKER_SERVICES[name].entrypoint]({ props });
