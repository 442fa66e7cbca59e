import { Health } from '../contract/health.ts';
import type { ServiceInstance, ServiceRecord, ServiceStatus } from '../contract/service.ts';
import { startTime } from '../http/start-time.ts';
import { type Trace, writeTrace } from '../http/trace.ts';
import { statsOf } from './instance-stats.ts';
import type { Instance, KnownService } from './service-table.ts';

const WORST_FIRST: readonly ServiceStatus[] = ['critical', 'warning', 'unknown', 'passing'];

export const worstOf = (found: readonly ServiceStatus[]): ServiceStatus =>
  WORST_FIRST.find((status) => found.includes(status)) ?? 'unknown';

/** A service as records show it, after asking each of its instances for its health. */
export async function recordOf(service: KnownService, trace: Trace): Promise<ServiceRecord> {
  const instances = await Promise.all(
    service.instances.map((instance) => checkInstance(service, instance, trace)),
  );
  return {
    name: service.name,
    version: service.version,
    tags: [...service.tags],
    meta: {},
    status: worstOf(instances.map(({ status }) => status)),
    instances,
    health: service.health,
    ttl_s: null,
    registered_at: new Date(startTime()).toISOString(),
    updated_at: new Date(startTime()).toISOString(),
  };
}

async function checkInstance(
  { health }: KnownService,
  instance: Instance,
  trace: Trace,
): Promise<ServiceInstance> {
  const stats = statsOf(instance.id);
  const status = await stats
    .observe(() => askHealth(instance, health, trace))
    .then(statusOf, () => 'critical' as const);
  return {
    id: instance.id,
    url: instance.url,
    weight: 1,
    region_id: null,
    status,
    consecutive_failures: stats.consecutiveFailures,
    ejected_until: null,
    in_flight: stats.inFlight,
    latency_ms_ewma: stats.latencyMsEwma,
    last_check_at: new Date().toISOString(),
    last_error: stats.lastError,
  };
}

function askHealth(
  { target }: Instance,
  { path, timeout_s }: KnownService['health'],
  trace: Trace,
): Promise<Response> {
  const headers = new Headers();
  writeTrace(headers, trace);
  const init = { headers, signal: AbortSignal.timeout(timeout_s * 1000) };
  if (target.kind === 'worker')
    return target.entrypoint({ props: {} }).fetch(`http://worker.internal${path}`, init);
  return fetch(new URL(target.base.href.replace(/\/$/, '') + path), init);
}

async function statusOf(answer: Response): Promise<ServiceStatus> {
  const health = Health.safeParse(await answer.json().catch(() => undefined));
  if (!answer.ok) return 'critical';
  // A service of another make need not speak our form: that it answers 200 is what counts.
  return health.success && health.data.status === 'degraded' ? 'warning' : 'passing';
}
