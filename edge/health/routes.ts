import type { Env } from '../env.ts';
import { metricsRoutes } from '../http/own-metrics.ts';
import type { Route } from '../http/route.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';

export { answerHealth, type Check, healthRoutes } from '../http/health.ts';

/** Metrics of a service of this Worker over all of its isolates, as Monitoring sums them. */
export const ownMetricsRoutes = (service: string): readonly Route<Env>[] =>
  metricsRoutes(({ env }) => monitoringOf(env).exposition(service));
