import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Env } from './env.ts';
import { serveGateway } from './routes/gateway.ts';
import { serveRegistry } from './routes/registry.ts';

export { Registry } from './objects/registry-object.ts';

/** The gateway and the dashboard: port 8000 on a machine of one's own, every request of a deployment. */
export class GatewayService extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Promise<Response> {
    return serveGateway(request, this.env, this.ctx);
  }
}

/** The model registry: port 8003, and `/registry/…` behind the gateway. */
export class RegistryService extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Promise<Response> {
    return serveRegistry(request, this.env, this.ctx);
  }
}

export default GatewayService;
