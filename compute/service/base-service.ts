import type { HealthCheck } from '../../edge/health/contract/health.ts';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import { healthRoutes } from '../../edge/http/health.ts';
import type { Route } from '../../edge/http/route.ts';
import { VERSION } from '../../edge/http/version.ts';
import type { DescribedService } from '../../edge/api-description/services.ts';
import type { OutwardConnection } from '../outward/connect-outward.ts';
import { type GatewayRegistration, registerAtGateway } from './gateway-registration.ts';
import { type NodeService, type ServicePlace, startNodeService } from './node-service.ts';

export interface ServiceFacts {
  /** A DNS label: its segment behind the gateway. */
  readonly name: string;
  readonly tags?: readonly string[];
  /** Under which name its API is described at /openapi.json. */
  readonly described?: DescribedService;
}

/** How often a service tells what it measured. */
const REPORT_MS = 5_000;
/** How long requests under way may take once it is asked to stop. */
const GRACE_MS = 5_000;

/**
 * A new microservice of Node. What a subclass gives are its facts, its routes, what it opens
 * (`initialize`) and closes (`release`), and how it is (`healthCheck`). From here come the port, who may
 * call, refusals as problem documents, `/health`, the metrics, and its place at the gateway.
 *
 *   new --start--> initialized, listening, registered --stop--> left, drained, released
 */
export abstract class BaseService<E> {
  readonly place: ServicePlace;
  #server: NodeService | undefined;
  #registration: GatewayRegistration | undefined;

  constructor(place: ServicePlace) {
    this.place = place;
  }

  abstract readonly facts: ServiceFacts;

  /** Opens what the service works with; `start` calls it. */
  abstract initialize(): Promise<E>;

  /** How the service itself is; one that throws is unavailable. */
  abstract healthCheck(): Promise<HealthCheck>;

  protected abstract routes(): readonly Route<E>[];

  /** Closes what `initialize` opened. */
  protected abstract release(): Promise<void>;

  /** Its metrics besides those of its requests. */
  protected measure(): readonly MetricInput[] {
    return [];
  }

  /** Where it listens; undefined while it does not. */
  get port(): number | undefined {
    return this.#server?.port;
  }

  /** @throws what initializing throws, and the error of the system for the port; nothing is left open */
  async start(): Promise<void> {
    const env = await this.initialize();
    const { name, tags = [], described } = this.facts;
    const { gateway, headers, host } = this.place;
    try {
      this.#server = await startNodeService({
        ...this.place,
        name,
        env,
        routes: [...this.#healthRoutes(), ...this.routes()],
        described,
        tags,
        more: () => this.measure(),
        reportMs: REPORT_MS,
      });
    } catch (error) {
      await this.release();
      throw error;
    }
    if (this.place.connect) return;
    const url = addressOf(host, this.#server.port);
    this.#registration = await registerAtGateway({
      gateway,
      headers,
      service: { name, url, version: VERSION, tags: [...tags] },
    });
  }

  /** Leaves the gateway first, so that no request is lost on the way. */
  async stop(graceMs = GRACE_MS): Promise<void> {
    await this.#registration?.leave();
    await this.#server?.close(graceMs);
    this.#registration = undefined;
    this.#server = undefined;
    await this.release();
  }

  /** Where it listens on nothing: its connection to the gateway. */
  get connection(): OutwardConnection | undefined {
    return this.#server?.connection;
  }

  /** Why the gateway does not know the service; undefined where it does. */
  get registrationFault(): string | undefined {
    if (this.connection) return this.connection.fault;
    return this.#registration ? this.#registration.fault : 'the service is not started';
  }

  #healthRoutes(): readonly Route<E>[] {
    return healthRoutes<E>(this.facts.name, {
      service: () => this.healthCheck(),
      gateway: async () => {
        const fault = this.registrationFault;
        return fault === undefined
          ? { status: 'ok', detail: 'The gateway knows this service.' }
          : { status: 'degraded', detail: `The gateway does not know it: ${fault}` };
      },
    });
  }
}

/** Where the gateway reaches it: a service that listens everywhere is asked on this machine. */
function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
