import { ownMetricsEndpoints } from '../health/endpoints.ts';
import type { MetricInput } from '../monitoring/contract/metrics.ts';
import { exposition, EXPOSITION_TYPE } from '../monitoring/exposition.ts';
import { parseJsonPush } from '../monitoring/json-push.ts';
import type { Call } from './call.ts';
import { type Route, routesOf } from './route.ts';
import { measuredSoFar } from './telemetry.ts';

/** `/metrics` of one service. */
export function metricsRoutes<E>(textOf: (call: Call<E>) => Promise<string>): readonly Route<E>[] {
  return routesOf<E, typeof ownMetricsEndpoints>(ownMetricsEndpoints, {
    ownMetrics: async (call) =>
      new Response(await textOf(call), { headers: { 'content-type': EXPOSITION_TYPE } }),
  });
}

/**
 * `/metrics` of a service that is one process: its requests since it started, and `more`, whether
 * or not they have been reported to monitoring.
 */
export function processMetricsRoutes<E>(
  service: string,
  more: () => readonly MetricInput[],
): readonly Route<E>[] {
  return metricsRoutes(async () => {
    const { samples } = parseJsonPush({ service_name: service, metrics: more() });
    const own = [...measuredSoFar(service), ...samples];
    return exposition(
      own.map(({ labels, ...sample }) => ({
        ...sample,
        at: undefined,
        labels: { ...labels, service },
      })),
    );
  });
}
