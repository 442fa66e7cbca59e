import { accessOf } from '../access/access-stub.ts';
import { middleware } from '../access/middleware.ts';
import { FIRST_KEY_NEEDED, lacksFirstKey } from '../access/contract/first-key.ts';
import { frontEndpoints } from './endpoints.ts';
import { RESERVED_NAMES } from './contract/pages.ts';
import type { Env } from '../env.ts';
import { checkCompanionProcesses } from './companion-processes.ts';
import { dashboardResponse, notFoundPage } from './dashboard-files.ts';
import { entrypointOf } from './upstreams.ts';
import { forward, forwardInside } from './forward.ts';
import { guideResponse } from './guide-files.ts';
import { findService } from './service-table.ts';
import { isWorkerService } from './worker-services.ts';
import { Problem } from '../http/problem.ts';
import type { Call } from '../http/call.ts';
import { routesOf } from '../http/route.ts';
import { createService } from '../http/service.ts';
import { noteRoute } from '../http/telemetry.ts';
import { logsOf } from '../logs/log-stub.ts';
import { accessRoutes } from '../access/routes.ts';
import { backupRoutes } from '../backup/routes.ts';
import { brainRoutes } from '../brain/routes.ts';
import { eventRoutes } from '../events/routes.ts';
import { geoRoutes } from '../geo/routes.ts';
import { generateRoutes, inferHere } from '../inference/generate-routes.ts';
import { answerHealth, type Check, healthRoutes } from '../health/routes.ts';
import { memoryRoutes } from '../memory/routes.ts';
import { mqttSocket, nodeDiscoveryRoutes } from '../discovery/routes.ts';
import { logRoutes } from '../logs/routes.ts';
import { openApiRoutes, problemRoutes } from './description-routes.ts';
import { otlpRoutes } from '../otlp/routes.ts';
import { sensorRoutes } from '../sensors/routes.ts';
import { serviceRoutes } from './routes.ts';
import { testRunRoutes } from '../test-runs/routes.ts';

const checks: Record<string, Check<Env>> = {
  dashboard: async ({ env, url }) => {
    const page = await env.ASSETS.fetch(new URL('/index.html', url), { method: 'HEAD' });
    if (page.ok) return { status: 'ok', detail: 'The page is there.' };
    return { status: 'degraded', detail: `The page answers ${page.status}: was it built?` };
  },
  registry: async ({ ctx }) => {
    const health = await entrypointOf(ctx, 'registry').fetch('http://worker.internal/health');
    await health.body?.cancel();
    if (health.ok) return { status: 'ok', detail: 'The registry answers.' };
    return { status: 'degraded', detail: `The registry answers ${health.status}.` };
  },
  access: async ({ env }) => {
    if (!lacksFirstKey(env) || (await accessOf(env).hasKeys())) return undefined;
    return { status: 'unavailable', detail: `${FIRST_KEY_NEEDED}.` };
  },
  processes: ({ env }) => checkCompanionProcesses(env),
  logs: async ({ env }) => {
    const { clients, redis } = await logsOf(env).state();
    const isWell = redis === 'off' || redis === 'connected';
    const relay = redis === 'off' ? '' : ` The Redis that it shares them through is ${redis}.`;
    return {
      status: isWell ? 'ok' : 'degraded',
      detail: `${clients} clients follow the log.${relay}`,
    };
  },
};

const metrics = (call: Call<Env>) =>
  forwardInside(call, 'monitoring', { path: '/metrics', prefix: '' });

const frontRoutes = routesOf<Env, typeof frontEndpoints>(frontEndpoints, {
  inferV1: inferHere,
  healthV1: (call) => answerHealth('gateway', checks, call),
  exposeMetrics: metrics,
  exposeMetricsV1: metrics,
});

/** The gateway: its own routes, then brokers, the guide, the dashboard, then `/{service}/{path}`. */
export const serve = createService<Env>({
  ...middleware,
  name: 'gateway',
  routes: [
    ...healthRoutes('gateway', checks),
    ...frontRoutes,
    ...otlpRoutes,
    ...openApiRoutes('gateway'),
    ...problemRoutes,
    ...serviceRoutes,
    ...generateRoutes,
    ...nodeDiscoveryRoutes,
    ...brainRoutes,
    ...accessRoutes,
    ...backupRoutes,
    ...logRoutes,
    ...eventRoutes,
    ...geoRoutes,
    ...testRunRoutes,
    ...memoryRoutes,
    ...sensorRoutes,
  ],
  fallback: async (call) =>
    (await mqttSocket(call)) ?? (await dashboardPage(call)) ?? forwardByName(call),
});

async function dashboardPage(call: Call<Env>): Promise<Response | undefined> {
  const page = (await guideResponse(call)) ?? (await dashboardResponse(call));
  if (page) noteRoute(call.request, 'dashboard');
  return page;
}

async function forwardByName(call: Call<Env>): Promise<Response> {
  const [, name = '', ...rest] = call.url.pathname.split('/');
  const service = isWorkerService(name) ? name : await findService(call, name);
  if (!service) return (await notFoundPage(call)) ?? refuse(call.url.pathname, name, rest);
  noteRoute(call.request, `/${name}/*`);
  return typeof service === 'string' ? forwardInside(call, service) : forward(call, service);
}

function refuse(path: string, name: string, rest: readonly string[]): never {
  if (name === '' || rest.length === 0 || RESERVED_NAMES.has(name)) {
    throw new Problem('route_not_found', `Nothing is served at ${path}.`);
  }
  const detail = `There is no service named ${name}, so nothing is served at ${path}.`;
  throw new Problem('service_not_found', detail);
}
