import type { MetricRefusal, MetricType } from './contract/metrics.ts';
import type { Env } from '../env.ts';
import { Catalogue, type Family, type Taken } from './catalogue.ts';
import { type Exposed, exposition } from './exposition.ts';
import type {
  Evaluated,
  EvaluateQuery,
  HistoryQuery,
  HistorySeries,
  MetricQuery,
} from './query.ts';
import { queueDepth, type Sample } from './sample.ts';
import { LENGTH_MS, RETENTION_MS, TIERS } from './tiers.ts';
import type { SelectQuery, SelectResult } from '../promql/source.ts';
import { MetricJournal, recoverJournal } from './journal.ts';
import { MetricLog } from './metric-log.ts';
import { MetricReader, type ServiceAnswer, type ServiceQuery } from './reader.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { MONITORING_MIGRATIONS, MonitoringStore } from './store.ts';

type RecordResult =
  | {
      readonly kind: 'recorded';
      readonly accepted: number;
      readonly refusals: readonly MetricRefusal[];
    }
  /** Too much waits to be written. */
  | { readonly kind: 'overloaded' };

type SeriesResult = ({ readonly kind: 'found' } & ServiceAnswer) | { readonly kind: 'no-service' };

/** Pushes within this time share one write. */
const COMMIT_MS = 20;

/** Written at once where so many points wait, and refused where the writing fails and so many do. */
const FLUSH_POINTS = 20_000;
const MAX_POINTS = 200_000;

/** The delay after the end of a stretch before it is rolled up, so that its last batch has arrived. */
const ROLL_DELAY_MS = 10_000;
const CLEAR_EVERY_MS = 15 * 60_000;

/** The maximum age of a value in the exposition. */
const EXPOSED_MS = RETENTION_MS.raw;

/**
 * The metrics of all services over time: raw samples for an hour, then rollups of increasing length.
 *
 * Samples are buffered for METRICS_FLUSH_MS and written together, so that metrics cost a few writes a
 * minute, however many there are. Every response includes the buffer. A push is in the journal before it
 * is acknowledged; other samples in the buffer are lost in a crash. The catalogue of series mirrors the
 * store and the buffer.
 */
export class Monitoring extends StoredObject {
  readonly #store: MonitoringStore;
  readonly #catalogue = new Catalogue();
  readonly #log: MetricLog;
  readonly #journal: MetricJournal;
  /** The write that pushes wait for; undefined where none does. */
  #committing: Promise<void> | undefined;
  readonly #reader: MetricReader;
  #clearedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, MONITORING_MIGRATIONS);
    this.#store = new MonitoringStore(ctx.storage.sql);
    this.#journal = new MetricJournal(this.#store);
    this.#log = new MetricLog(this.#store);
    ctx.storage.transactionSync(() => recoverJournal(this.#store));
    this.#log.load(this.#catalogue);
    this.#reader = new MetricReader(this.#catalogue, this.#log);
  }

  /** Takes samples, each of which is refused by itself. A crash within METRICS_FLUSH_MS loses them. */
  record(samples: readonly Sample[]): Promise<RecordResult> {
    return this.#take(samples, (taken) => this.#log.add(taken));
  }

  /** The same for samples that no crash loses once this has answered. */
  async recordDurably(samples: readonly Sample[]): Promise<RecordResult> {
    const result = await this.#take(samples, (taken) => {
      this.#log.add(taken);
      this.#journal.add(taken);
    });
    // Samples taken meanwhile join the same write, so all await one promise.
    if (!this.#journal.isWritten) await (this.#committing ??= this.#commit());
    return result;
  }

  async #take(samples: readonly Sample[], add: (taken: Taken) => void): Promise<RecordResult> {
    if (this.#log.size >= MAX_POINTS) return { kind: 'overloaded' };
    const now = Date.now();
    const isFirst = this.#log.size === 0;
    const refusals: MetricRefusal[] = [];
    for (const sample of samples) {
      const result = this.#catalogue.take(sample, now);
      if ('family' in result) add(result);
      else refusals.push(result);
    }
    if (this.#log.size >= FLUSH_POINTS) {
      this.#flush();
      await this.#arm(now);
    } else if (isFirst && this.#log.size > 0) {
      await this.ctx.storage.setAlarm(now + this.env.METRICS_FLUSH_MS);
    }
    return { kind: 'recorded', accepted: samples.length - refusals.length, refusals };
  }

  /** The metrics of one service over time. */
  series(query: ServiceQuery): SeriesResult {
    const known = this.#catalogue.find({ service: query.service });
    if (known.length === 0) return { kind: 'no-service' };
    return { kind: 'found', ...this.#reader.ofService(query) };
  }

  /** The types of the metrics of a name, one for each service that has it. */
  typesOf(name: string, service?: string): readonly MetricType[] {
    return this.#catalogue.find({ name, service }).map(({ type }) => type);
  }

  evaluate(query: EvaluateQuery): readonly Evaluated[] {
    return this.#reader.evaluate(query, Date.now());
  }

  /** The values of series at the times of a query in PromQL. */
  select(query: SelectQuery): SelectResult {
    return this.#reader.select(query, Date.now());
  }

  /** The number of series that a query reads. */
  count(query: MetricQuery): number {
    return this.#reader.count(query);
  }

  history(query: HistoryQuery): readonly HistorySeries[] {
    return this.#reader.history(query, Date.now());
  }

  /** The newest values as Prometheus text, those of one service only where it is named. */
  exposition(service?: string): string {
    return exposition(exposed(this.#catalogue.find({ service }), Date.now() - EXPOSED_MS));
  }

  /** The number of series and of buffered points, for the health check. */
  size(): { readonly series: number; readonly waiting: number } {
    return { series: this.#catalogue.seriesCount, waiting: this.#log.size };
  }

  /**
   * An alarm may fire late or twice: it writes the buffer, rolls up, deletes what has expired, and arms
   * the next alarm. It must not throw, as the runtime gives up on alarms that do.
   */
  override async alarm(): Promise<void> {
    const now = Date.now();
    try {
      this.#measure(now);
      this.#flush();
      this.#clear(now);
      await this.#arm(now);
    } catch (error) {
      const text = String(error);
      console.error(JSON.stringify({ level: 'error', event: 'metrics_flush_failed', text }));
      await this.ctx.storage.setAlarm(now + this.env.METRICS_FLUSH_MS);
    }
  }

  /** An empty buffer needs no report and no write. */
  #measure(now: number): void {
    if (this.#log.size === 0) return;
    const taken = this.#catalogue.take(
      queueDepth('monitoring', 'metric_points', this.#log.size),
      now,
    );
    if ('family' in taken) this.#log.add(taken);
  }

  async #commit(): Promise<void> {
    await scheduler.wait(COMMIT_MS);
    this.#committing = undefined;
    this.ctx.storage.transactionSync(() => {
      this.#log.writeNames();
      this.#journal.write();
    });
    this.#log.namesWritten();
    this.#journal.written();
  }

  #flush(): void {
    this.ctx.storage.transactionSync(() => {
      this.#log.write();
      this.#log.rollUp(this.#catalogue, Date.now() - ROLL_DELAY_MS);
      this.#store.clearJournal();
    });
    this.#log.written();
    this.#journal.written();
  }

  #clear(now: number): void {
    if (now < this.#clearedAt + CLEAR_EVERY_MS) return;
    this.#clearedAt = now;
    this.ctx.storage.transactionSync(() => {
      this.#log.clearOld(now);
      const gone = this.#catalogue.forget(now - RETENTION_MS.quarter);
      for (const id of gone.families) this.#store.removeFamily(id);
      for (const id of gone.series) this.#store.removeSeries(id);
    });
  }

  async #arm(now: number): Promise<void> {
    const minute = this.#store.oldestDirty(TIERS.minute);
    const quarter = this.#store.oldestDirty(TIERS.quarter);
    const due = [
      minute === undefined ? Infinity : minute + LENGTH_MS.minute + ROLL_DELAY_MS,
      quarter === undefined ? Infinity : quarter + LENGTH_MS.quarter + ROLL_DELAY_MS,
      this.#catalogue.seriesCount > 0 ? now + CLEAR_EVERY_MS : Infinity,
    ];
    const next = Math.min(...due);
    if (next < Infinity) await this.ctx.storage.setAlarm(Math.max(next, now + 1000));
  }
}

function* exposed(families: readonly Family[], since: number): Generator<Exposed> {
  for (const family of families) {
    const { service, name, type, unit, help } = family;
    for (const { labels, latest } of family.series.values()) {
      if (!latest || latest.at < since) continue;
      yield { service, name, type, unit, help, labels, value: latest.value };
    }
  }
}
