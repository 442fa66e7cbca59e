import type {
  ServiceInstance,
  ServiceOrigin,
  ServiceRecord,
  ServiceStatus,
} from '../contract/service.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { startTime } from '../http/start-time.ts';
import { writeTrace } from '../http/trace.ts';
import { VERSION } from '../version.ts';
import { entrypointOf } from './upstreams.ts';
import { gatewayOf } from './gateway-stub.ts';
import { type Verdict, worstOf } from './health-machine.ts';
import { isEjected, statsOf } from './instance-stats.ts';
import { probe } from './health-checks.ts';
import { DEFAULT_HEALTH, type InstanceState, type ServiceState } from './machine.ts';
import { entrypointNameOf, workerServices } from './worker-services.ts';

type RecordCall = Pick<Call<Env>, 'env' | 'ctx' | 'trace'>;

/** Every service behind the gateway: built in, from UPSTREAMS, then registered. */
export async function allRecords(call: RecordCall): Promise<readonly ServiceRecord[]> {
  const [own, others] = await Promise.all([
    Promise.all(workerServices().map((name) => builtInRecord(call, name))),
    gatewayOf(call.env).checkedServices(),
  ]);
  return [...own, ...others.map(recordOf)];
}

/**
 * The record of a service outside of this Worker, by its health checks and this isolate's
 * observations.
 */
export function recordOf(service: ServiceState): ServiceRecord {
  const { origin, registeredAt, updatedAt, expiresAt } = service;
  const instances = service.instances.map((instance) => instanceOf(service.name, instance));
  return {
    name: service.name,
    origin,
    version: service.version,
    tags: [...service.tags],
    meta: { ...service.meta },
    status: statusOf(instances),
    instances,
    health: service.health,
    ttl_s: service.ttl_s,
    expires_at: timestampOf(expiresAt),
    registered_at: new Date(registeredAt || startTime()).toISOString(),
    updated_at: new Date(updatedAt || startTime()).toISOString(),
  };
}

/** Critical only where no instance is left. */
function statusOf(instances: readonly ServiceInstance[]): ServiceStatus {
  const found = instances.map(({ status }) => status);
  const isMixed = found.includes('critical') && found.some((status) => status !== 'critical');
  return isMixed ? 'warning' : worstOf(found);
}

function instanceOf(service: string, instance: InstanceState): ServiceInstance {
  const { id, url, weight, region_id, status, lastCheckAt, lastError } = instance;
  const { outlier, inFlight, latencyMsEwma, lastError: refused } = statsOf(service).of(url);
  return {
    id,
    url,
    weight,
    region_id,
    status,
    consecutive_failures: outlier.consecutiveFailures,
    ejected_until: isEjected(outlier, Date.now()) ? timestampOf(outlier.ejectedUntil) : null,
    in_flight: inFlight,
    latency_ms_ewma: latencyMsEwma,
    last_check_at: timestampOf(lastCheckAt),
    last_error: lastError ?? refused,
  };
}

/** Services of this Worker are probed on demand, which costs no network request. */
export async function builtInRecord(call: RecordCall, name: string): Promise<ServiceRecord> {
  const origin: ServiceOrigin = 'built-in';
  const entrypoint = entrypointOf(call.ctx, name);
  const headers = new Headers();
  writeTrace(headers, call.trace);
  const started = Date.now();
  const verdict = await probe(
    (path, init) => entrypoint.fetch(`http://worker.internal${path}`, { ...init, headers }),
    DEFAULT_HEALTH,
  );
  const status = STATUS_OF[verdict.kind];
  const since = new Date(startTime()).toISOString();
  return {
    name,
    origin,
    version: VERSION,
    tags: ['built-in'],
    meta: {},
    status,
    instances: [
      {
        id: `${name}-1`,
        url: `worker:${entrypointNameOf(name)}`,
        weight: 1,
        region_id: null,
        status,
        consecutive_failures: 0,
        ejected_until: null,
        in_flight: 0,
        latency_ms_ewma: Date.now() - started,
        last_check_at: new Date().toISOString(),
        last_error: verdict.kind === 'failed' ? verdict.reason : null,
      },
    ],
    health: DEFAULT_HEALTH,
    ttl_s: null,
    expires_at: null,
    registered_at: since,
    updated_at: since,
  };
}

const STATUS_OF: Readonly<Record<Verdict['kind'], ServiceStatus>> = {
  well: 'passing',
  degraded: 'warning',
  failed: 'critical',
};

const timestampOf = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();
