import { SPAN_LIMITS, type SpanRecord } from './contract/span.ts';
import type { Env } from '../env.ts';
import { StoredObject } from '../storage/stored-object.ts';

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
 * Spans by their trace. A span that comes again, as exporters send again what was not answered, takes
 * the place of the one before. The oldest go where there are more than may be, or more than a week old.
 */
export class Traces extends StoredObject {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, TRACES_MIGRATIONS);
    this.#sql = ctx.storage.sql;
  }

  /** Stores spans; says of each that has no room in its trace why not. */
  async add(spans: readonly SpanRecord[]): Promise<readonly string[]> {
    if (this.ctx.id.name !== 'main') await this.makeKnown('Traces');
    const refusals: string[] = [];
    const now = Date.now();
    this.ctx.storage.transactionSync(() => {
      for (const [traceId, own] of Map.groupBy(spans, ({ trace_id }) => trace_id)) {
        let room = SPAN_LIMITS.perTrace - this.#count(traceId);
        for (const span of own) {
          if (room <= 0 && !this.#has(span)) {
            refusals.push(`the trace ${traceId} has ${SPAN_LIMITS.perTrace} spans already`);
          } else {
            this.#put(span, now);
            room -= 1;
          }
        }
      }
      this.#trim(now);
    });
    return refusals;
  }

  /** The spans of a trace, the earliest first. */
  spans(traceId: string): readonly SpanRecord[] {
    return this.#sql
      .exec<{ body: string }>(
        'SELECT body FROM spans WHERE trace_id = ? ORDER BY start, seq',
        traceId,
      )
      .toArray()
      .map(({ body }) => JSON.parse(body) as SpanRecord);
  }

  #count(traceId: string): number {
    return this.#sql
      .exec<{ total: number }>('SELECT count(*) AS total FROM spans WHERE trace_id = ?', traceId)
      .one().total;
  }

  #has({ trace_id, span_id }: SpanRecord): boolean {
    const query = 'SELECT 1 FROM spans WHERE trace_id = ? AND span_id = ?';
    return this.#sql.exec(query, trace_id, span_id).toArray().length > 0;
  }

  #put(span: SpanRecord, now: number): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO spans (trace_id, span_id, start, received_at, body)
       VALUES (?, ?, ?, ?, ?)`,
      span.trace_id,
      span.span_id,
      span.start_time,
      now,
      JSON.stringify(span),
    );
  }

  #trim(now: number): void {
    const { last } = this.#sql
      .exec<{ last: number | null }>('SELECT max(seq) AS last FROM spans')
      .one();
    const before = now - SPAN_LIMITS.storedS * 1000;
    const { old } = this.#sql
      .exec<{ old: number | null }>(
        // Numbers rise with the time of arrival, so the walk ends at the first that stays.
        'SELECT seq - 1 AS old FROM (SELECT seq, received_at FROM spans ORDER BY seq) WHERE received_at >= ? LIMIT 1',
        before,
      )
      .one();
    const most = this.#sql.databaseSize > MAX_BYTES ? SPAN_LIMITS.spans / 2 : SPAN_LIMITS.spans;
    this.#sql.exec('DELETE FROM spans WHERE seq <= ?', Math.max((last ?? 0) - most, old ?? 0));
  }
}
