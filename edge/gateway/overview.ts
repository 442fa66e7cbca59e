import { alertsOf } from '../alerts/stubs.ts';
import type { Env } from '../env.ts';
import { geoOf } from '../geo/geo-stub.ts';
import { teamSeen } from '../http/ownership.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { logsOf } from '../logs/log-stub.ts';
import type {
  Dashboard,
  DashboardPanel,
  DashboardService,
} from '../monitoring/contract/dashboard.ts';
import type { monitoringEndpoints } from '../monitoring/endpoints.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';
import type { Evaluated, HistorySeries, MetricQuery } from '../monitoring/query.ts';
import { registryOf } from '../registry/registry-stub.ts';
import { trainingOf } from '../training/training-stub.ts';
import { allRecords } from './service-records.ts';

type GetDashboard = (typeof monitoringEndpoints)['getDashboard'];
type DashboardCall = CallOf<Env, GetDashboard>;

/** The time spans of a service's figures and of the panels. */
const NOW_S = 60;
const PANEL_S = 3600;
const PANEL_STEP_S = 60;

const REQUESTS = 'http_requests_total';
const DURATION = 'http_request_duration_seconds';

/** The state of the platform at a glance; unknown values are null. */
export async function getDashboard(call: DashboardCall): Promise<ReplyOf<GetDashboard>> {
  const { env, caller } = call;
  const team = teamSeen(caller);
  const at = Date.now();
  const [services, jobs, models, alerts, logs, geo, panels] = await Promise.all([
    dashboardServices(call, at),
    orNull(trainingOf(env).countByStatus(team)),
    orNull(registryOf(env).countModels(team)),
    orNull(alertsOf(env).summary()),
    orNull(logStream(env)),
    orNull(geoOf(env).summary()),
    dashboardPanels(env, at),
  ]);
  const body: Dashboard = {
    generated_at: new Date(at).toISOString(),
    services,
    jobs: { by_status: { ...jobs } },
    models: { total: models },
    regions: geo?.regions ?? { total: null, online: null, active_region: null },
    nodes: geo?.nodes ?? { total: null, active: null },
    alerts: { firing: alerts?.firing ?? null, by_severity: { ...alerts?.by_severity } },
    log_stream: logs ?? { clients: null, broadcast_drops: null, persist_drops: null },
    panels,
  };
  return { status: 200, body };
}

/** A part of the platform that does not respond leaves a gap, not an error. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    const text = String(error);
    console.warn(JSON.stringify({ level: 'warn', event: 'dashboard_gap', text }));
    return null;
  }
}

async function logStream(env: Env): Promise<Dashboard['log_stream']> {
  const {
    connected_clients: clients,
    broadcast_drops,
    persist_drops,
  } = await logsOf(env).metrics();
  return { clients, broadcast_drops, persist_drops };
}

/** The services the gateway knows, and those that only report metrics. */
async function dashboardServices(call: DashboardCall, at: number): Promise<DashboardService[]> {
  const [records, rate, errors, p50, p99] = await Promise.all([
    orNull(allRecords(call)),
    ...[RATE, ERRORS, MEDIAN, SLOWEST].map((query) =>
      monitoringOf(call.env)
        .evaluate({ ...query, window_s: NOW_S, at })
        .then(byService),
    ),
  ]);
  const statuses = new Map((records ?? []).map(({ name, status }) => [name, status] as const));
  const names = [...new Set([...statuses.keys(), ...(rate?.keys() ?? [])])].toSorted();
  return names.map((name) => {
    const rps = rate?.get(name) ?? null;
    return {
      name,
      status: statuses.get(name) ?? 'unknown',
      rps,
      error_rate: rps === null || rps === 0 ? null : (errors?.get(name) ?? 0) / rps,
      p50: milliseconds(p50?.get(name)),
      p99: milliseconds(p99?.get(name)),
    };
  });
}

const BY_SERVICE = { by: ['service'], window_s: NOW_S } as const;
const RATE: MetricQuery = { ...BY_SERVICE, metric: REQUESTS, agg: 'rate' };
const ERRORS: MetricQuery = { ...RATE, labels: { status: '5xx' } };
const MEDIAN: MetricQuery = { ...BY_SERVICE, metric: DURATION, agg: 'p50' };
const SLOWEST: MetricQuery = { ...MEDIAN, agg: 'p99' };

const byService = (found: readonly Evaluated[]): ReadonlyMap<string, number> =>
  new Map(found.map(({ labels, value }) => [labels['service'] ?? '', value] as const));

const milliseconds = (seconds: number | undefined): number | null =>
  seconds === undefined ? null : seconds * 1000;

async function dashboardPanels(env: Env, at: number): Promise<DashboardPanel[]> {
  const to = Math.floor(at / 1000 / PANEL_STEP_S) * PANEL_STEP_S * 1000;
  const range = { from: to - PANEL_S * 1000, to, step_s: PANEL_STEP_S };
  const ask = (query: MetricQuery) =>
    monitoringOf(env).history({ ...query, ...range, window_s: PANEL_STEP_S });
  const [rates, errors, slowest] = await Promise.all([RATE, ERRORS, SLOWEST].map(ask));
  const common = { step_s: PANEL_STEP_S };
  return [
    {
      ...common,
      id: 'request_rate',
      name: REQUESTS,
      agg: 'rate',
      unit: 'requests/s',
      series: panelSeries(rates),
    },
    {
      ...common,
      id: 'error_rate',
      name: REQUESTS,
      agg: 'rate',
      unit: 'ratio',
      series: panelSeries(shareOf(errors ?? [], rates ?? [])),
    },
    {
      ...common,
      id: 'latency_p99',
      name: DURATION,
      agg: 'p99',
      unit: 'seconds',
      series: panelSeries(slowest),
    },
  ];
}

const panelSeries = (found: readonly HistorySeries[] = []): DashboardPanel['series'] =>
  found.map(({ labels, points }) => ({
    service_name: labels['service'] ?? '',
    points: points.map(([at, value]) => [at / 1000, value]),
  }));

/** Each service's errors as a fraction of its requests, wherever it had any. */
function shareOf(
  errors: readonly HistorySeries[],
  requests: readonly HistorySeries[],
): readonly HistorySeries[] {
  return requests.map(({ labels, points }) => {
    const own = errors.find((one) => one.labels['service'] === labels['service']);
    const failed = new Map(own?.points);
    const share = ([at, rate]: readonly [number, number]) =>
      [at, (failed.get(at) ?? 0) / rate] as const;
    return { labels, points: points.filter(isBusy).map(share) };
  });
}

const isBusy = ([, rate]: readonly [number, number]): boolean => rate > 0;
