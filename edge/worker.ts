import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Env } from './env.ts';
import type { Passed } from './http/call.ts';
import { serveEdgeInference } from './routes/edge-inference.ts';
import { serveGateway } from './routes/gateway.ts';
import { serveLmTraining } from './routes/lm-training.ts';
import { serveMonitoring } from './routes/monitoring.ts';
import { serveRegistry } from './routes/registry.ts';
import { serveTraining } from './routes/training.ts';

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

/** The gateway and the dashboard: port 8000 on a machine of one's own, every request of a deployment. */
export class GatewayService extends WorkerEntrypoint<Env, Passed> {
  override fetch(request: Request): Promise<Response> {
    return serveGateway(request, this.env, this.ctx);
  }
}

/** Jobs, trainers and datasets: port 8001, and `/training/…` behind the gateway. */
export class TrainingService extends WorkerEntrypoint<Env, Passed> {
  override fetch(request: Request): Promise<Response> {
    return serveTraining(request, this.env, this.ctx);
  }
}

/** The load balancer in front of the language-model training servers: `/lm-training/…` behind the gateway. */
export class LmTrainingService extends WorkerEntrypoint<Env, Passed> {
  override fetch(request: Request): Promise<Response> {
    return serveLmTraining(request, this.env, this.ctx);
  }
}

/** Small models that answer in this Worker: `/edge-inference/…` behind the gateway. */
export class EdgeInferenceService extends WorkerEntrypoint<Env, Passed> {
  override fetch(request: Request): Promise<Response> {
    return serveEdgeInference(request, this.env, this.ctx);
  }
}

/** The model registry: port 8003, and `/registry/…` behind the gateway. */
export class RegistryService extends WorkerEntrypoint<Env, Passed> {
  override fetch(request: Request): Promise<Response> {
    return serveRegistry(request, this.env, this.ctx);
  }
}

/** Metrics and alerts: port 8004, and `/monitoring/…` behind the gateway. */
export class MonitoringService extends WorkerEntrypoint<Env, Passed> {
  override fetch(request: Request): Promise<Response> {
    return serveMonitoring(request, this.env, this.ctx);
  }
}

export default GatewayService;
