/**
 * Each request adds this fraction of a retry to the budget; RESERVE is its initial value, MAX its
 * cap.
 */
const SHARE = 0.2;
const RESERVE = 10;
const MOST = 100;

/**
 * Limits the retries of a service to a fifth of its requests, plus ten: where everything fails,
 * retries only double the load.
 */
export class RetryBudget {
  #retries = RESERVE;

  countRequest(): void {
    this.#retries = Math.min(MOST, this.#retries + SHARE);
  }

  /** Takes one retry. @returns false where none is left */
  take(): boolean {
    if (this.#retries < 1) return false;
    this.#retries -= 1;
    return true;
  }
}

/** Consecutive failures that eject an instance from the rotation. */
const FAILURES = 5;
/** The duration of the first ejection; the n-th takes n times as long. */
const EJECTION_MS = 30_000;
const LONGEST = 10;
/** After this time without an ejection, an instance starts afresh. */
const FORGIVEN_MS = 300_000;

/**
 * Outlier detection for one instance by its responses.
 *
 *   in rotation --5 failures in a row--> ejected (30 s x n) --time--> in rotation
 */
export interface OutlierState {
  readonly consecutiveFailures: number;
  readonly ejections: number;
  /** In epoch milliseconds; 0 where it was never ejected. */
  readonly ejectedUntil: number;
}

export const NO_FAILURES: OutlierState = {
  consecutiveFailures: 0,
  ejections: 0,
  ejectedUntil: 0,
};

interface Pool {
  readonly size: number;
  /** Instances that are ejected now. */
  readonly ejected: number;
}

export const isEjected = ({ ejectedUntil }: OutlierState, now: number): boolean =>
  now < ejectedUntil;

export function afterSuccess(state: OutlierState, now: number): OutlierState {
  const isForgiven = now >= state.ejectedUntil + FORGIVEN_MS;
  if (state.consecutiveFailures === 0 && !(isForgiven && state.ejections > 0)) return state;
  return {
    ...state,
    consecutiveFailures: 0,
    ejections: isForgiven ? 0 : state.ejections,
  };
}

/** At most half of the instances are ejected at once; a denied ejection is attempted again. */
export function afterFailure(state: OutlierState, pool: Pool, now: number): OutlierState {
  const consecutiveFailures = state.consecutiveFailures + 1;
  const isRoom = (pool.ejected + 1) * 2 <= pool.size;
  if (consecutiveFailures < FAILURES || isEjected(state, now) || !isRoom) {
    return { ...state, consecutiveFailures };
  }
  const ejections = Math.min(state.ejections + 1, LONGEST);
  return { consecutiveFailures: 0, ejections, ejectedUntil: now + EJECTION_MS * ejections };
}

/** The weight of the newest response in the moving average of latencies. */
const EWMA_WEIGHT = 0.2;

/**
 * Statistics of one instance of a service, as observed by this isolate. In memory only: a new isolate
 * starts with none.
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

/** Statistics of one service, as observed by this isolate. */
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

/** Forgets the services that no longer exist. */
export function keepStats(names: ReadonlySet<string>): void {
  for (const name of seen.keys()) if (!names.has(name)) seen.delete(name);
}
