import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Env } from './env.ts';
import type { Passed } from './http/call.ts';

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

/** The gateway and the dashboard: port 8000 on a machine of one's own, every request of a deployment. */
export class GatewayService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveGateway } = await import('./gateway/serve.ts');
    return serveGateway(request, this.env, this.ctx);
  }
}

/** Jobs, trainers and datasets: port 8001, and `/training/…` behind the gateway. */
export class TrainingService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveTraining } = await import('./training/serve.ts');
    return serveTraining(request, this.env, this.ctx);
  }
}

/** The load balancer in front of the language-model training servers: `/lm-training/…` behind the gateway. */
export class LmTrainingService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveLmTraining } = await import('./training/lm-training-serve.ts');
    return serveLmTraining(request, this.env, this.ctx);
  }
}

/** Small models that answer in this Worker: `/edge-inference/…` behind the gateway. */
export class EdgeInferenceService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveEdgeInference } = await import('./inference/routes.ts');
    return serveEdgeInference(request, this.env, this.ctx);
  }
}

/** The model registry: port 8003, and `/registry/…` behind the gateway. */
export class RegistryService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveRegistry } = await import('./registry/serve.ts');
    return serveRegistry(request, this.env, this.ctx);
  }
}

/** Metrics and alerts: port 8004, and `/monitoring/…` behind the gateway. */
export class MonitoringService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveMonitoring } = await import('./monitoring/serve.ts');
    return serveMonitoring(request, this.env, this.ctx);
  }
}

export default GatewayService;
