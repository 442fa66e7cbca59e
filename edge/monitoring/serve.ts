import { middleware } from '../access/middleware.ts';
import type { Env } from '../env.ts';
import { createService } from '../http/service.ts';
import { alertsOf } from '../alerts/stubs.ts';
import { monitoringOf } from './monitoring-stub.ts';
import { alertRoutes } from '../alerts/routes.ts';
import { type Check, healthRoutes } from '../health/routes.ts';
import { metricRoutes } from './routes.ts';
import { openApiRoutes } from '../gateway/description-routes.ts';
import { otlpRoutes } from '../otlp/routes.ts';
import { promqlRoutes } from '../promql/routes.ts';

const checks: Record<string, Check<Env>> = {
  metrics: async ({ env }) => {
    const { series, waiting } = await monitoringOf(env).size();
    const detail = `It holds ${series} series; ${waiting} samples wait to be written.`;
    return { status: 'ok', detail };
  },
  // Being asked also wakes the object that evaluates the rules.
  alerts: async ({ env }) => {
    const { rules, firing } = await alertsOf(env).summary();
    return { status: 'ok', detail: `It evaluates ${rules} rules; ${firing} alerts fire.` };
  },
};

/** Monitoring: what the services measure, over time, and what is wrong with them. */
export const serve = createService<Env>({
  ...middleware,
  name: 'monitoring',
  routes: [
    ...healthRoutes('monitoring', checks),
    ...metricRoutes,
    ...otlpRoutes,
    ...promqlRoutes,
    ...alertRoutes,
    ...openApiRoutes('monitoring'),
  ],
});
