import {
  createNodeDiscovery,
  type NodeDiscovery,
} from '../../edge/discovery/contract/node-discovery.ts';
import { topologyOf, uiExportOf } from '../../edge/discovery/contract/node-views.ts';
import { DEFAULT_NAMESPACE, discoveryEndpoints } from '../../edge/discovery/endpoints.ts';
import type { HealthCheck } from '../../edge/health/contract/health.ts';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import { routesOf } from '../../edge/http/route.ts';
import { BaseService } from '../service/base-service.ts';
import type { ServicePlace } from '../service/node-service.ts';
import { connectOutside, type OutsideLine } from './outside-broker.ts';

interface DiscoveryServiceOptions extends ServicePlace {
  /** The outside broker: MQTT_URL. */
  readonly broker: string;
  /** Namespace of the brain on that broker. */
  readonly namespace?: string;
  /** Where nodes are that do not say where. */
  readonly region: string;
}

interface DiscoveryEnv {
  readonly discovery: NodeDiscovery;
}

interface NodesQuery {
  readonly namespace: string;
  readonly region?: string | undefined;
}

/** One broker is one brain: of another one nothing is known here. */
function nodesOf({ discovery }: DiscoveryEnv, { namespace, region }: NodesQuery) {
  if (namespace !== discovery.namespace) return [];
  const nodes = discovery.getAllNodes();
  return region === undefined ? nodes : nodes.filter(({ region_id: where }) => where === region);
}

const routes = routesOf<DiscoveryEnv, typeof discoveryEndpoints>(discoveryEndpoints, {
  nodeHealth: ({ env, query }) => ({
    status: 200,
    body: uiExportOf(nodesOf(env, query), Date.now()),
  }),
  nodeTopology: ({ env, query }) => ({
    status: 200,
    body: topologyOf(nodesOf(env, query), Date.now()),
  }),
});

/** Node discovery over an outside broker: the same nodes, the same endpoints, as a service of Node. */
export class DiscoveryService extends BaseService<DiscoveryEnv> {
  readonly facts = { name: 'node-discovery' };
  readonly #options: DiscoveryServiceOptions;
  #line: OutsideLine | undefined;
  #discovery: NodeDiscovery | undefined;

  constructor(options: DiscoveryServiceOptions) {
    super(options);
    this.#options = options;
  }

  /** @throws where the broker cannot be reached, or does not let us subscribe */
  async initialize(): Promise<DiscoveryEnv> {
    const { broker, namespace = DEFAULT_NAMESPACE, region } = this.#options;
    const clientId = `spikegrid-discovery-${crypto.randomUUID()}`;
    this.#line = await connectOutside({ url: broker, clientId, version: 4 });
    try {
      this.#discovery = await createNodeDiscovery(namespace, {
        line: this.#line,
        regionId: region,
      });
    } catch (error) {
      await this.#line.end();
      throw error;
    }
    return { discovery: this.#discovery };
  }

  async healthCheck(): Promise<HealthCheck> {
    return this.#line?.isUp
      ? { status: 'ok', detail: 'The broker is connected.' }
      : { status: 'degraded', detail: 'The broker is away; it is tried again.' };
  }

  protected routes() {
    return routes;
  }

  protected async release(): Promise<void> {
    this.#discovery?.close();
    await this.#line?.end();
  }

  protected override measure(): readonly MetricInput[] {
    const { active = 0, inactive = 0, total = 0 } = this.#discovery?.getNodeCount() ?? {};
    const counts = { active, inactive, error: total - active - inactive };
    return Object.entries(counts).map(([status, value]) => ({
      name: 'discovery_nodes',
      type: 'gauge',
      labels: { status },
      value,
    }));
  }
}
