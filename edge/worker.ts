import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Env } from './env.ts';
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

// Routes are loaded with the first request: the schemas of all of them take two thirds of a start, which
// objects do not need and no isolate needs of every service.
abstract class Service extends WorkerEntrypoint<Env, RequestProps> {
  protected abstract readonly load: () => Promise<Serve<Env>>;

  override async fetch(request: Request): Promise<Response> {
    const serve = await this.load();
    return serve(request, this.env, this.ctx);
  }
}

/** The gateway and the dashboard: port 8000 on a machine of one's own, every request of a deployment. */
export class GatewayService extends Service {
  protected override readonly load = async () => (await import('./gateway/serve.ts')).serveGateway;
}

/** Jobs, trainers and datasets: port 8001, and `/training/…` behind the gateway. */
export class TrainingService extends Service {
  protected override readonly load = async () =>
    (await import('./training/serve.ts')).serveTraining;
}

/** The load balancer in front of the language-model training servers: `/lm-training/…` behind the gateway. */
export class LmTrainingService extends Service {
  protected override readonly load = async () =>
    (await import('./training/lm-training-serve.ts')).serveLmTraining;
}

/** Small models that answer in this Worker: `/edge-inference/…` behind the gateway. */
export class EdgeInferenceService extends Service {
  protected override readonly load = async () =>
    (await import('./inference/routes.ts')).serveEdgeInference;
}

/** The model registry: port 8003, and `/registry/…` behind the gateway. */
export class RegistryService extends Service {
  protected override readonly load = async () =>
    (await import('./registry/serve.ts')).serveRegistry;
}

/** Metrics and alerts: port 8004, and `/monitoring/…` behind the gateway. */
export class MonitoringService extends Service {
  protected override readonly load = async () =>
    (await import('./monitoring/serve.ts')).serveMonitoring;
}

export default GatewayService;
