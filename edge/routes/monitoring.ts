import { entrance } from '../auth/entrance.ts';
import type { Env } from '../env.ts';
import { createService } from '../http/service.ts';
import { alertsOf } from '../monitoring/alerts/stubs.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import { alertRoutes } from './alerts.ts';
import { type Check, healthRoutes } from './health.ts';
import { metricRoutes } from './metrics.ts';
import { openApiRoutes } from './openapi.ts';
import { otlpRoutes } from './otlp.ts';
import { promqlRoutes } from './promql.ts';

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
export const serveMonitoring = createService<Env>({
  ...entrance,
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
