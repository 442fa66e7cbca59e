import { afterFailure, afterSuccess, NO_FAILURES, type OutlierState } from './outlier-machine.ts';
import { RetryBudget } from './retry-budget.ts';

/** The weight of the newest answer in the moving average of latencies. */
const EWMA_WEIGHT = 0.2;

/**
 * What this isolate has seen of one instance of a service. It is this isolate's own view, kept in
 * memory, as with every proxy: a new isolate starts with none.
 */
export class InstanceStats {
  inFlight = 0;
  latencyMsEwma: number | null = null;
  lastError: string | null = null;
  outlier: OutlierState = NO_FAILURES;

  succeeded(latencyMs: number, now: number): void {
    const before = this.latencyMsEwma ?? latencyMs;
    this.latencyMsEwma = before + EWMA_WEIGHT * (latencyMs - before);
    this.outlier = afterSuccess(this.outlier, now);
  }
}

/** What this isolate has seen of one service. */
export class ServiceStats {
  readonly retries = new RetryBudget();
  readonly #instances = new Map<string, InstanceStats>();

  /** By address: another address is another instance, whatever its id. */
  of(url: string): InstanceStats {
    const known = this.#instances.get(url);
    if (known) return known;
    const fresh = new InstanceStats();
    this.#instances.set(url, fresh);
    return fresh;
  }

  failed(url: string, reason: string, now: number): void {
    const stats = this.of(url);
    const ejected = [...this.#instances.values()].filter(
      ({ outlier }) => now < outlier.ejectedUntil,
    ).length;
    stats.lastError = reason;
    stats.outlier = afterFailure(stats.outlier, { size: this.#instances.size, ejected }, now);
  }

  /** Forgets the instances that are no longer part of the service. */
  keep(urls: readonly string[]): void {
    for (const url of this.#instances.keys()) if (!urls.includes(url)) this.#instances.delete(url);
    for (const url of urls) this.of(url);
  }
}

const seen = new Map<string, ServiceStats>();

export function statsOf(service: string): ServiceStats {
  const known = seen.get(service);
  if (known) return known;
  const fresh = new ServiceStats();
  seen.set(service, fresh);
  return fresh;
}

/** Forgets the services that are gone. */
export function keepStats(names: ReadonlySet<string>): void {
  for (const name of seen.keys()) if (!names.has(name)) seen.delete(name);
}
