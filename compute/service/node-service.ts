import type { IncomingMessage } from 'node:http';
import { openHttp } from '../../edge/contract/client.ts';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import { processMetricsRoutes } from '../../edge/http/own-metrics.ts';
import type { Route } from '../../edge/http/route.ts';
import { describedRoutes } from '../../edge/http/openapi.ts';
import { createService, type Serve, type Service } from '../../edge/http/service.ts';
import type { DescribedService } from '../../edge/api-description/services.ts';
import { createIdentityVerifier } from '../http/gateway-identity.ts';
import { createVerifier } from '../http/gateway-keys.ts';
import { createMonitoringSink } from '../http/monitoring-sink.ts';
import { createNodeMiddleware } from '../http/node-middleware.ts';
import { type NodeServer, startNodeServer } from '../http/node-server.ts';
import { type AuthMode, passedBy, passedOver } from '../http/peers.ts';
import { connectOutward, type OutwardConnection } from '../outward/connect-outward.ts';
import { refuseWithoutKey } from './check-key.ts';

/** Where a service of Node listens, and the gateway it belongs to. */
export interface ServicePlace {
  /** Without a slash at the end. */
  readonly gateway: string;
  /** Sent with what the service itself asks the platform for: its key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly host: string;
  /** Any free port where it is 0. */
  readonly port: number;
  readonly auth: AuthMode;
  /** Listens on nothing and connects to the gateway instead: host, port and auth say nothing then. */
  readonly connect?: boolean | undefined;
}

/** A service that takes requests, on a port or over a connection of its own. */
export interface NodeService extends NodeServer {
  /** Undefined where it listens. */
  readonly connection: OutwardConnection | undefined;
}

interface NodeServiceOptions<E> extends ServicePlace {
  /** Its name in metrics and in its health. */
  readonly name: string;
  readonly env: E;
  readonly routes: readonly Route<E>[];
  /** Under which name its API is described; nothing is at /openapi.json where it is left out. */
  readonly described?: DescribedService | undefined;
  /** By which it is found at the gateway, where it connects to it. */
  readonly tags?: readonly string[];
  /** Tells the servers of one service apart in metrics; `host:port` where it is left out. */
  readonly instance?: string;
  /** Its metrics besides those of its requests. */
  readonly more?: () => readonly MetricInput[];
  /** Interval at which metrics are pushed, if there are any. */
  readonly reportMs: number;
  readonly refusalsBelow?: Service<E>['refusalsBelow'];
}

/**
 * Takes requests as a service of the platform does: they pass what those of the edge pass, keys are
 * asked of the gateway, and what is measured is pushed to monitoring.
 *
 * @throws the error of the system for the port, and ProblemError where the gateway refuses a connection, or
 *   wants a key and there is none
 */
export async function startNodeService<E>(options: NodeServiceOptions<E>): Promise<NodeService> {
  const { gateway, headers, host, port, name, routes } = options;
  const { more = () => [], reportMs, refusalsBelow } = options;
  await refuseWithoutKey(options);
  let place = `${host}:${port}`;
  const sink = createMonitoringSink({
    monitoring: openHttp({ base: `${gateway}/monitoring`, headers: { ...headers } }),
    service: name,
    more,
    get instance() {
      return options.instance ?? place;
    },
  });
  const middleware = createNodeMiddleware<E>({
    verify: createVerifier(gateway),
    reporting: { sink: () => sink, everyMs: reportMs },
  });
  const serve = createService({
    ...middleware,
    name,
    routes: [...routes, ...processMetricsRoutes<E>(name, more), ...descriptionOf<E>(options)],
    ...(refusalsBelow && { refusalsBelow }),
  });
  const service = options.connect ? await connect(options, serve) : await listen(options, serve);
  place = service.connection?.instance ?? `${host}:${service.port}`;
  return service;
}

/** A gateway may know the service by another name. */
const nameAtGateway = (name: string): string => process.env['SERVICE_NAME'] || name;

async function listen<E>(options: NodeServiceOptions<E>, serve: Serve<E>): Promise<NodeService> {
  const { gateway, name, env, host, port, auth } = options;
  const verifyIdentity = createIdentityVerifier(gateway, nameAtGateway(name));
  const passedOf = (request: IncomingMessage) => passedBy(request, { auth, verifyIdentity });
  const server = await startNodeServer({ serve, env, host, port, passedOf });
  return { ...server, connection: undefined };
}

async function connect<E>(options: NodeServiceOptions<E>, serve: Serve<E>): Promise<NodeService> {
  const { gateway, headers, name, env, tags = [] } = options;
  const service = nameAtGateway(name);
  const verifyIdentity = createIdentityVerifier(gateway, service);
  const connection = await connectOutward({
    gateway,
    headers,
    service,
    tags,
    changed: (fault) =>
      console.error(
        fault === undefined
          ? 'connected to the gateway again'
          : `the gateway is away, trying again: ${fault}`,
      ),
    async handle(request, path) {
      const props = await passedOver(request, path, verifyIdentity);
      return serve(request, env, { props, waitUntil: (work) => void work.catch(() => {}) });
    },
  });
  return { port: 0, connection, close: (graceMs = GRACE_MS) => connection.close(graceMs) };
}

const GRACE_MS = 10_000;

/** The description of all services is read on request: a service starts without it. */
function descriptionOf<E>({ described }: NodeServiceOptions<E>): readonly Route<E>[] {
  if (described === undefined) return [];
  return describedRoutes<E>(async () => {
    const { textOf } = await import('../../edge/api-description/platform.ts');
    return textOf(described);
  });
}
