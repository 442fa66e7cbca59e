import type { ServiceInstance, ServiceRecord } from '../../../edge/contract/service.ts';

/** The metrics of a service over its instances. */
export interface ServiceFigures {
  readonly passing: number;
  readonly total: number;
  readonly inFlight: number;
  /** Mean over the instances that have responded; null where none has. */
  readonly latencyMs: number | null;
  readonly ejected: number;
  /** Until the first is tried again; null where none is ejected. */
  readonly ejectedForMs: number | null;
  readonly lastError: string | null;
}

/** @param now ms since 1970 */
export function figuresOf(
  { instances }: Pick<ServiceRecord, 'instances'>,
  now: number,
): ServiceFigures {
  const latencies = instances.flatMap(({ latency_ms_ewma: ms }) => (ms === null ? [] : ms));
  const waits = instances.flatMap((instance) => ejectedFor(instance, now) ?? []);
  return {
    passing: instances.filter(({ status }) => status === 'passing').length,
    total: instances.length,
    inFlight: sum(instances.map((instance) => instance.in_flight)),
    latencyMs: latencies.length === 0 ? null : sum(latencies) / latencies.length,
    ejected: waits.length,
    ejectedForMs: waits.length === 0 ? null : Math.min(...waits),
    lastError: latestErrorOf(instances),
  };
}

/** The rest of an instance's ejection, ms; undefined where it is not ejected. */
export function ejectedFor(
  { ejected_until: until }: Pick<ServiceInstance, 'ejected_until'>,
  now: number,
): number | undefined {
  const left = until === null ? 0 : Date.parse(until) - now;
  return left > 0 ? left : undefined;
}

function latestErrorOf(instances: readonly ServiceInstance[]): string | null {
  const failed = instances.filter(({ last_error: error }) => error !== null);
  const latest = failed.toSorted((a, b) =>
    (a.last_check_at ?? '').localeCompare(b.last_check_at ?? ''),
  );
  return latest.at(-1)?.last_error ?? null;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
