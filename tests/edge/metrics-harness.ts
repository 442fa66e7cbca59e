import { expect } from 'vitest';
import { Health } from '../../edge/health/contract/health.ts';
import { type MetricSeries, ServiceMetrics } from '../../edge/monitoring/contract/metrics-query.ts';
import { type MetricInput, MetricsAccepted } from '../../edge/monitoring/contract/metrics.ts';
import { type Edge, postJson } from './harness.ts';

export const MINUTE_MS = 60_000;

/** Measurements wait this long; short, so that tests see what is stored. */
export const QUICK = { vars: { METRICS_FLUSH_MS: 20 } };

export const metricsUrl = (edge: Edge, path = '') => new URL(`/metrics${path}`, edge.monitoring);

export const push = (edge: Edge, service_name: string, metrics: readonly unknown[]) =>
  postJson(metricsUrl(edge), { service_name, metrics });

export async function accepted(answer: Promise<Response>): Promise<MetricsAccepted> {
  const got = await answer;
  const body: unknown = await got.json();
  expect(got.status, JSON.stringify(body)).toBe(202);
  return MetricsAccepted.parse(body);
}

export async function metricsOf(edge: Edge, service: string, query: Record<string, string> = {}) {
  const answer = await fetch(metricsUrl(edge, `/${service}?${new URLSearchParams(query)}`));
  const body: unknown = await answer.json();
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return ServiceMetrics.parse(body);
}

export const sumOf = (series: MetricSeries | undefined) =>
  (series?.points ?? []).reduce((sum, [, value]) => sum + (value ?? 0), 0);

export const iso = (at: number) => new Date(at).toISOString();

/** A total that rises by 2 every ten seconds, from an hour ago to a while ago. */
export function risingTotal(name: string, now: number): MetricInput[] {
  const samples = 240;
  return Array.from({ length: samples }, (_, i) => ({
    name,
    type: 'counter',
    value: i * 2,
    timestamp: iso(now - 58 * MINUTE_MS + i * 10_000),
  }));
}

/** Waits until nothing waits to be written. */
export async function stored(edge: Edge): Promise<void> {
  const since = Date.now();
  const looked = async () => {
    const answer = await fetch(new URL('/health', edge.monitoring));
    const { checks, timestamp } = Health.parse(await answer.json());
    return Date.parse(timestamp) >= since ? checks['metrics']?.detail : 'not looked at since';
  };
  // Health is looked at once a second.
  await expect.poll(looked, { timeout: 10_000 }).toContain(' 0 samples wait');
}
