import { SPAN_LIMITS, type SpanRecord } from './contract/span.ts';
import type { Env } from '../env.ts';
import { StoredObject } from '../storage/stored-object.ts';
import { TableStore } from '../storage/table-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
const TRACES_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE spans (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    trace_id TEXT NOT NULL,
    span_id TEXT NOT NULL,
    start TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (trace_id, span_id)
  );
  `,
];

/** The SQLite database of an object holds ten times as much. */
const MAX_BYTES = 1024 ** 3;

/**
 * Spans by trace. A span that is sent again, as exporters do without a response, replaces the earlier one.
 * The oldest are deleted beyond the limit of number, and after a week.
 */
export class Traces extends StoredObject {
  readonly #store: SpanStore;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, TRACES_MIGRATIONS);
    this.#store = new SpanStore(ctx.storage.sql);
  }

  /** Stores spans; returns a reason for each that its trace has no room for. */
  async add(spans: readonly SpanRecord[]): Promise<readonly string[]> {
    if (this.ctx.id.name !== 'main') await this.makeKnown('Traces');
    const refusals: string[] = [];
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      for (const [traceId, own] of Map.groupBy(spans, ({ trace_id }) => trace_id)) {
        let room = SPAN_LIMITS.perTrace - this.#store.count(traceId);
        for (const span of own) {
          if (room <= 0 && !this.#store.has(span)) {
            refusals.push(`the trace ${traceId} has ${SPAN_LIMITS.perTrace} spans already`);
          } else {
            this.#store.put(span, now);
            room -= 1;
          }
        }
      }
      this.#store.trim(now);
    });
    return refusals;
  }

  /** The spans of a trace, the earliest first. */
  spans(traceId: string): readonly SpanRecord[] {
    return this.#store.spans(traceId);
  }
}

/** The table of spans. */
class SpanStore extends TableStore {
  spans(traceId: string): readonly SpanRecord[] {
    const query = 'SELECT body FROM spans WHERE trace_id = ? ORDER BY start, seq';
    return this.rows<{ body: string }>(query, traceId).map(({ body }) => JSON.parse(body));
  }

  count(traceId: string): number {
    return this.value`SELECT count(*) FROM spans WHERE trace_id = ${traceId}`;
  }

  has({ trace_id, span_id }: SpanRecord): boolean {
    const query = 'SELECT 1 FROM spans WHERE trace_id = ? AND span_id = ?';
    return this.exists(query, trace_id, span_id);
  }

  put(span: SpanRecord, received_at: number): void {
    const { trace_id, span_id, start_time: start } = span;
    const body = JSON.stringify(span);
    this.replace('spans', { trace_id, span_id, start, received_at, body });
  }

  /** Removes the oldest spans beyond the limits of number and age. */
  trim(now: number): void {
    const last = this.value<number | null>('SELECT max(seq) FROM spans') ?? 0;
    // Numbers rise with the time of arrival, so the walk ends at the first span that stays.
    const old = this.value<number>`
      SELECT seq - 1 FROM (SELECT seq, received_at FROM spans ORDER BY seq)
      WHERE received_at >= ${now - SPAN_LIMITS.storedS * 1000} LIMIT 1`;
    const most = this.sql.databaseSize > MAX_BYTES ? SPAN_LIMITS.spans / 2 : SPAN_LIMITS.spans;
    this.run`DELETE FROM spans WHERE seq <= ${Math.max(last - most, old)}`;
  }
}
