import { openHttp } from '../../edge/contract/http-client.ts';
import type { MetricInput } from '../../edge/contract/metrics.ts';
import { processMetricsRoutes } from '../../edge/http/own-metrics.ts';
import type { Route } from '../../edge/http/route.ts';
import { describedRoutes } from '../../edge/http/openapi.ts';
import { createService, type Serve } from '../../edge/http/service.ts';
import type { DescribedService } from '../../edge/openapi/services.ts';
import { createIdentityVerifier } from '../http/gateway-identity.ts';
import { createVerifier } from '../http/gateway-keys.ts';
import { createMonitoringSink } from '../http/monitoring-sink.ts';
import { createNodeEntrance } from '../http/node-entrance.ts';
import { type NodeServer, startNodeServer } from '../http/node-server.ts';
import { type AuthMode, passedBy } from '../http/peers.ts';
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
}

export interface NodeServiceOptions<E> extends ServicePlace {
  /** What it is called in metrics and in its health. */
  readonly name: string;
  readonly env: E;
  readonly routes: readonly Route<E>[];
  /** Under which name its API is described; nothing is at /openapi.json where it is left out. */
  readonly described?: DescribedService | undefined;
  /** Tells the servers of one service apart in metrics; `host:port` where it is left out. */
  readonly instance?: string;
  /** What it measures besides its requests. */
  readonly more?: () => readonly MetricInput[];
  /** How often what was measured is told, where there is something to tell. */
  readonly reportMs: number;
  /** Around the answers to all requests. */
  readonly around?: (serve: Serve<E>) => Serve<E>;
}

/**
 * Listens as a service of the platform does: requests pass what those of the edge pass, keys are asked
 * of the gateway, and what is measured is pushed to monitoring.
 *
 * @throws the error of the system for the port, and ProblemError where the gateway wants a key and there is none
 */
export async function startNodeService<E>(options: NodeServiceOptions<E>): Promise<NodeServer> {
  const { gateway, headers, host, port, auth, name, env, routes } = options;
  const { more = () => [], reportMs, around = (serve) => serve } = options;
  await refuseWithoutKey(options);
  // A gateway may know the service by another name.
  const verifyIdentity = createIdentityVerifier(gateway, process.env['SERVICE_NAME'] || name);
  let boundPort = port;
  const sink = createMonitoringSink({
    monitoring: openHttp({ base: `${gateway}/monitoring`, headers: { ...headers } }),
    service: name,
    more,
    get instance() {
      return options.instance ?? `${host}:${boundPort}`;
    },
  });
  const entrance = createNodeEntrance<E>({
    verify: createVerifier(gateway),
    reporting: { sink: () => sink, everyMs: reportMs },
  });
  const server = await startNodeServer({
    serve: around(
      createService({
        ...entrance,
        name,
        routes: [...routes, ...processMetricsRoutes<E>(name, more), ...descriptionOf<E>(options)],
      }),
    ),
    env,
    host,
    port,
    passedOf: (request) => passedBy(request, { auth, verifyIdentity }),
  });
  boundPort = server.port;
  return server;
}

/** What describes all services is read when somebody asks: a service starts without it. */
function descriptionOf<E>({ described }: NodeServiceOptions<E>): readonly Route<E>[] {
  if (described === undefined) return [];
  return describedRoutes<E>(async () => {
    const { documentOf } = await import('../../edge/openapi/platform.ts');
    return documentOf(described);
  });
}
