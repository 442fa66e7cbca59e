import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard } from '../../edge/monitoring/contract/dashboard.ts';
import type { MetricInput } from '../../edge/monitoring/contract/metrics.ts';
import { readMetrics } from './exposition-lint.ts';
import { type Edge, postJson, startEdge } from './harness.ts';
import { accepted, QUICK } from './metrics-harness.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge(QUICK);
});
afterAll(() => edge[Symbol.asyncDispose]());

describe('the exposition', () => {
  it('has the format and the names that Prometheus requires', async () => {
    // A server of its own: what other tests push need not follow the naming rules.
    await using own = await startEdge(QUICK);
    const metrics: MetricInput[] = [
      {
        name: 'jobs_total',
        type: 'counter',
        value: 3,
        help: 'Jobs "done" \\ so far.',
        labels: { a: 'x"\\\n' },
      },
      { name: 'queue_depth', type: 'gauge', value: -1.5 },
      {
        name: 'job_seconds',
        type: 'histogram',
        buckets: [
          { le: 0.5, count: 1 },
          { le: '+Inf', count: 2 },
        ],
        sum: 3,
      },
      {
        name: 'rpc_seconds',
        type: 'summary',
        quantiles: [{ quantile: 0.5, value: null }],
        sum: 1,
        count: 1,
      },
    ];
    await accepted(
      postJson(new URL('/metrics', own.monitoring), { service_name: 'shop', metrics }),
    );
    await accepted(
      postJson(new URL('/metrics', own.monitoring), { service_name: 'other', metrics }),
    );
    await expect
      .poll(async () => (await fetch(new URL('/metrics', own.monitoring))).text())
      .toContain('http_request_duration_seconds_bucket');

    const text = await readMetrics(own.monitoring);

    expect(text).toContain('job_seconds_bucket{service="shop",le="0.5"} 1\n');
    for (const service of ['training', 'lm-training', 'edge-inference', 'registry'] as const) {
      await fetch(new URL('/health', own[service]));
      await expect
        .poll(() => readMetrics(own[service]))
        .toMatch(/^http_requests_total\{.*route="\/health",service="[a-z-]+",status="2xx"\} 1$/m);
      const other = new RegExp(`service="(?!${service}")`);
      expect(await readMetrics(own[service])).not.toMatch(other);
    }
    expect(await readMetrics(own.gateway)).toContain('service="shop"');
  });
});

describe('the dashboard', () => {
  it('reports what is known of each part, and null for the rest', async () => {
    await fetch(new URL('/services', edge.gateway));
    await expect
      .poll(async () => {
        const answer = await fetch(new URL('/dashboard', edge.monitoring));
        const board = Dashboard.parse(await answer.json());
        return board.services.find(({ name }) => name === 'gateway');
      })
      .toMatchObject({ status: 'passing', error_rate: 0, p99: expect.any(Number) });

    const board = Dashboard.parse(
      await (await fetch(new URL('/dashboard', edge.monitoring))).json(),
    );

    expect(board).toMatchObject({
      models: { total: 0 },
      jobs: { by_status: {} },
      regions: { total: 5, online: 5, active_region: 'ap-northeast-1' },
      nodes: { total: 0, active: 0 },
      log_stream: { clients: 0, broadcast_drops: 0, persist_drops: 0 },
    });
    expect(board.alerts.firing).toBe(0);
    expect(board.panels.map(({ id }) => id)).toEqual(['request_rate', 'error_rate', 'latency_p99']);
  });
});
