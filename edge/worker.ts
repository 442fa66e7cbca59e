import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Env } from './env.ts';
import { declareWorkerService } from './gateway/worker-services.ts';
import type { RequestProps } from './http/call.ts';
import type { Serve } from './http/service.ts';

export { Access } from './access/object.ts';
export { Alerts } from './alerts/object.ts';
export { ConnectedService } from './outward/object.ts';
export { Datasets } from './datasets/object.ts';
export { Discovery } from './discovery/object.ts';
export { Gateway } from './gateway/object.ts';
export { Geo } from './geo/object.ts';
export { Idempotency } from './idempotency/object.ts';
export { LogHub } from './logs/object.ts';
export { MemoryDirectory } from './memory/directory-object.ts';
export { Memory } from './memory/object.ts';
export { Monitoring } from './monitoring/object.ts';
export { RegionStore } from './geo/region-store/object.ts';
export { Registry } from './registry/object.ts';
export { Sensors } from './sensors/object.ts';
export { Sockets } from './gateway/sockets-object.ts';
export { Traces } from './otlp/object.ts';
export { Training } from './training/object.ts';

/**
 * The entrypoint of a service, which is `/{name}/…` behind the gateway. Its routes are loaded with the first
 * request: the schemas of all of them take two thirds of a start, which objects do not need and no
 * isolate needs of every service.
 */
function service(
  name: string,
  load: () => Promise<{ readonly serve: Serve<Env> }>,
): new (ctx: ExecutionContext<RequestProps>, env: Env) => WorkerEntrypoint<Env, RequestProps> {
  declareWorkerService(name);
  return class extends WorkerEntrypoint<Env, RequestProps> {
    override async fetch(request: Request): Promise<Response> {
      const { serve } = await load();
      return serve(request, this.env, this.ctx);
    }
  };
}

/** The gateway and the dashboard: port 8000 on a machine of one's own, every request of a deployment. */
export class GatewayService extends service('gateway', () => import('./gateway/serve.ts')) {}

/** Jobs, trainers and datasets: port 8001. */
export class TrainingService extends service('training', () => import('./training/serve.ts')) {}

/** The load balancer in front of the language-model training servers. */
export class LmTrainingService extends service(
  'lm-training',
  () => import('./training/lm-training-serve.ts'),
) {}

/** Small models that answer in this Worker. */
export class EdgeInferenceService extends service(
  'edge-inference',
  () => import('./inference/routes.ts'),
) {}

/** The model registry: port 8003. */
export class RegistryService extends service('registry', () => import('./registry/serve.ts')) {}

/** Metrics and alerts: port 8004. */
export class MonitoringService extends service(
  'monitoring',
  () => import('./monitoring/serve.ts'),
) {}

export default GatewayService;
