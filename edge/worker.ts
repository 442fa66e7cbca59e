import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Env } from './env.ts';
import type { Passed } from './http/call.ts';

export { Access } from './objects/access-object.ts';
export { Alerts } from './objects/alerts-object.ts';
export { ConnectedService } from './objects/connected-service-object.ts';
export { Datasets } from './objects/datasets-object.ts';
export { Discovery } from './objects/discovery-object.ts';
export { Gateway } from './objects/gateway-object.ts';
export { Geo } from './objects/geo-object.ts';
export { Idempotency } from './objects/idempotency-object.ts';
export { LogHub } from './objects/log-hub-object.ts';
export { MemoryDirectory } from './objects/memory-directory-object.ts';
export { Memory } from './objects/memory-object.ts';
export { Monitoring } from './objects/monitoring-object.ts';
export { RegionStore } from './objects/region-store-object.ts';
export { Registry } from './objects/registry-object.ts';
export { Sensors } from './objects/sensors-object.ts';
export { Sockets } from './objects/sockets-object.ts';
export { Traces } from './objects/traces-object.ts';
export { Training } from './objects/training-object.ts';

// Routes are loaded with the first request: the schemas of all of them take two thirds of a start, which
// objects do not need and no isolate needs of every service.

/** The gateway and the dashboard: port 8000 on a machine of one's own, every request of a deployment. */
export class GatewayService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveGateway } = await import('./routes/gateway.ts');
    return serveGateway(request, this.env, this.ctx);
  }
}

/** Jobs, trainers and datasets: port 8001, and `/training/…` behind the gateway. */
export class TrainingService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveTraining } = await import('./routes/training.ts');
    return serveTraining(request, this.env, this.ctx);
  }
}

/** The load balancer in front of the language-model training servers: `/lm-training/…` behind the gateway. */
export class LmTrainingService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveLmTraining } = await import('./routes/lm-training.ts');
    return serveLmTraining(request, this.env, this.ctx);
  }
}

/** Small models that answer in this Worker: `/edge-inference/…` behind the gateway. */
export class EdgeInferenceService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveEdgeInference } = await import('./routes/edge-inference.ts');
    return serveEdgeInference(request, this.env, this.ctx);
  }
}

/** The model registry: port 8003, and `/registry/…` behind the gateway. */
export class RegistryService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveRegistry } = await import('./routes/registry.ts');
    return serveRegistry(request, this.env, this.ctx);
  }
}

/** Metrics and alerts: port 8004, and `/monitoring/…` behind the gateway. */
export class MonitoringService extends WorkerEntrypoint<Env, Passed> {
  override async fetch(request: Request): Promise<Response> {
    const { serveMonitoring } = await import('./routes/monitoring.ts');
    return serveMonitoring(request, this.env, this.ctx);
  }
}

export default GatewayService;
