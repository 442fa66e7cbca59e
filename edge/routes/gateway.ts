import { guard } from '../auth/guard.ts';
import { RESERVED_NAMES } from '../contract/pages.ts';
import type { Env } from '../env.ts';
import { dashboardAnswer, missingPage } from '../gateway/dashboard.ts';
import { forward } from '../gateway/forward.ts';
import { knownServices } from '../gateway/service-table.ts';
import { Problem } from '../http/problem.ts';
import type { Call } from '../http/call.ts';
import { createService } from '../http/service.ts';
import { type Check, healthRoutes } from './health.ts';
import { serviceRoutes } from './services.ts';

const checks: Record<string, Check<Env>> = {
  dashboard: async ({ env, url }) => {
    const page = await env.ASSETS.fetch(new URL('/index.html', url), { method: 'HEAD' });
    if (page.ok) return { status: 'ok', detail: 'The page is there.' };
    return { status: 'degraded', detail: `The page answers ${page.status}: was it built?` };
  },
  registry: async ({ ctx }) => {
    const health = await ctx.exports.RegistryService.fetch('http://worker.internal/health');
    if (health.ok) return { status: 'ok', detail: 'The registry answers.' };
    return { status: 'degraded', detail: `The registry answers ${health.status}.` };
  },
};

/** The gateway: its own routes, then the dashboard, then `/{service}/{path}`. */
export const serveGateway = createService<Env>({
  guard,
  routes: [...healthRoutes('gateway', checks), ...serviceRoutes],
  fallback: async (call) => (await dashboardAnswer(call)) ?? forwardByName(call),
});

async function forwardByName(call: Call<Env>): Promise<Response> {
  const [, name = '', ...rest] = call.url.pathname.split('/');
  const service = knownServices(call.env, call.ctx).get(name);
  if (service) return forward(call, service);
  return (await missingPage(call)) ?? refuse(call.url.pathname, name, rest);
}

function refuse(path: string, name: string, rest: readonly string[]): never {
  if (name === '' || rest.length === 0 || RESERVED_NAMES.has(name)) {
    throw new Problem('route_not_found', `Nothing is served at ${path}.`);
  }
  throw new Problem('service_not_found', `There is no service named ${name}.`);
}
