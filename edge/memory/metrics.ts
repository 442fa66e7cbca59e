import type { Env } from '../env.ts';
import { type MetricDescription, MetricRegistry } from '../monitoring/metric-registry.ts';
import { monitoringOf } from '../monitoring/monitoring-stub.ts';

const STORED: MetricDescription = {
  name: 'memory_stored_total',
  help: 'Memories that were stored, by whether they were new.',
  unit: null,
};
const DELETED: MetricDescription = {
  name: 'memory_deleted_total',
  help: 'Memories that were deleted, by why.',
  unit: null,
};
const FOUND: MetricDescription = {
  name: 'memory_found_total',
  help: 'Memories that searches found, by how they were looked for.',
  unit: null,
};
const CAUSES: MetricDescription = {
  name: 'memory_causes_total',
  help: 'Causes that were read from the texts of memories.',
  unit: null,
};

export type WhyDeleted = 'deleted' | 'erased' | 'expired' | 'dropped';

/**
 * The counters of a namespace; the gateway measures durations. No label names a namespace, which is
 * private to its owner.
 */
export class MemoryMetrics {
  readonly #env: Pick<Env, 'METRICS_FLUSH_MS' | 'MONITORING'>;
  readonly #meters = new MetricRegistry('memory');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(env: Pick<Env, 'METRICS_FLUSH_MS' | 'MONITORING'>) {
    this.#env = env;
  }

  stored(results: readonly { readonly deduplicated: boolean }[], causes: number): void {
    const duplicates = results.filter(({ deduplicated }) => deduplicated).length;
    this.#meters.count(STORED, { result: 'new' }, results.length - duplicates);
    this.#meters.count(STORED, { result: 'duplicate' }, duplicates);
    this.#meters.count(CAUSES, {}, causes);
    this.#reportSoon();
  }

  found(strategy: string, count: number): void {
    this.#meters.count(FOUND, { strategy }, count);
    this.#reportSoon();
  }

  deleted(why: WhyDeleted, count: number): void {
    this.#meters.count(DELETED, { why }, count);
    this.#reportSoon();
  }

  /** Sends the counts; lost ones are sent with the next report. */
  async report(): Promise<void> {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    const samples = this.#meters.take();
    await monitoringOf(this.#env)
      .record(samples)
      .catch(() => this.#meters.restore(samples));
  }

  #reportSoon(): void {
    this.#timer ??= setTimeout(() => void this.report(), this.#env.METRICS_FLUSH_MS);
  }
}
