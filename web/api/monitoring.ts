import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Preview } from '../../edge/alerts/contract/alert-preview.ts';
import type { ConditionAgg } from '../../edge/alerts/contract/alert-rule.ts';
import { clientOf } from '../../edge/contract/client.ts';
import type { Aggregation } from '../../edge/monitoring/contract/metrics-query.ts';
import { monitoringEndpoints } from '../../edge/monitoring/endpoints.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { previewRule } from './alerts.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('/monitoring');
const monitoringApi = clientOf(monitoringEndpoints, http);

/** A stretch of time and its step. */
export interface MetricWindow {
  /** ms since 1970 */
  readonly from: number;
  readonly to: number;
  readonly stepS: number;
}

const DASHBOARD_EVERY_MS = 30_000;
const HOUR_S = 3600;

export const dashboardQuery = queryOptions({
  queryKey: ['metrics', 'dashboard'],
  refetchInterval: DASHBOARD_EVERY_MS,
  queryFn: ({ signal }) => monitoringApi.getDashboard({ signal }),
});

/** Metrics that a service reported recently; none for an unknown service. */
export const catalogueQuery = (service: string) =>
  queryOptions({
    queryKey: ['metrics', 'catalogue', service],
    staleTime: 30_000,
    queryFn: async ({ signal }) => {
      const asked = { params: { service }, query: { step: HOUR_S }, signal };
      try {
        return (await monitoringApi.getServiceMetrics(asked)).series;
      } catch (error) {
        if (error instanceof ProblemError && error.code === 'service_not_found') return [];
        throw error;
      }
    },
  });

interface SeriesChoice {
  readonly service: string;
  readonly name: string;
  readonly agg: Aggregation;
}

/** One metric of a service over time, a series for each set of labels. */
export const seriesQuery = ({ service, name, agg }: SeriesChoice, window: MetricWindow) =>
  queryOptions({
    queryKey: ['metrics', 'series', service, name, agg, window],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { from, to, stepS } = window;
      const query = { name, agg, from: from / 1000, to: to / 1000, step: stepS };
      return monitoringApi.getServiceMetrics({ params: { service }, query, signal });
    },
  });

/** Aggregate of one metric of a service over all of its series, or over each group of them. */
export interface Total {
  readonly service: string;
  readonly metric: string;
  readonly agg: ConditionAgg;
  readonly by: readonly string[];
}

/**
 * Totals over time. Quantiles of several series cannot be made from the quantile of each, so this
 * asks what evaluates the conditions of rules, which merges the buckets first.
 */
export const totalsQuery = (totals: readonly Total[], window: MetricWindow) =>
  queryOptions({
    queryKey: ['metrics', 'totals', totals, window],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => Promise.all(totals.map((total) => askTotal(total, window, signal))),
  });

function askTotal(total: Total, window: MetricWindow, signal: AbortSignal): Promise<Preview> {
  const { service, metric, agg, by } = total;
  const condition = {
    metric,
    agg,
    by: [...by],
    matchers: [{ name: 'service', op: '=' as const, value: service }],
    window_s: Math.max(window.stepS, 60),
    // No value is above it: what is asked for are the values.
    threshold: Number.MAX_VALUE,
  };
  const asked = {
    condition,
    from: new Date(window.from).toISOString(),
    to: new Date(window.to).toISOString(),
    step_s: window.stepS,
  };
  return previewRule(asked, signal);
}
