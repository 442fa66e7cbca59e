import type { Env } from '../env.ts';
import { metricsRoutes } from '../http/own-metrics.ts';
import type { Route } from '../http/route.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';

export { answerHealth, type Check, healthRoutes } from '../http/health.ts';

/** What a service of this Worker measures, in all isolates that it runs in: Monitoring adds them up. */
export const ownMetricsRoutes = (service: string): readonly Route<Env>[] =>
  metricsRoutes(({ env }) => monitoringOf(env).exposition(service));
