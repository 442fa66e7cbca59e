import type { StoredResponse, RequestState } from './machine.ts';

/** The table of requests, and the only place that knows its SQL. */
export class IdempotencyStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  request(scope: string): RequestState | undefined {
    const [row] = this.#sql
      .exec<{ fingerprint: string; status: string; until: number; answer: string | null }>(
        'SELECT fingerprint, status, until, answer FROM requests WHERE scope = ?',
        scope,
      )
      .toArray();
    return (
      row && {
        fingerprint: row.fingerprint,
        status: row.status === 'done' ? 'done' : 'running',
        until: row.until,
        answer: row.answer === null ? null : JSON.parse(row.answer),
      }
    );
  }

  /** Writes down that a request has begun, in place of what was there; returns its number. */
  start(scope: string, fingerprint: string, until: number): number {
    return this.#sql
      .exec<{ seq: number }>(
        `INSERT OR REPLACE INTO requests (scope, fingerprint, status, until)
          VALUES (?, ?, 'running', ?) RETURNING seq`,
        scope,
        fingerprint,
        until,
      )
      .one().seq;
  }

  finish(seq: number, answer: StoredResponse | null, until: number): void {
    this.#sql.exec(
      "UPDATE requests SET status = 'done', until = ?, answer = ? WHERE seq = ?",
      until,
      answer && JSON.stringify(answer),
      seq,
    );
  }

  release(seq: number): void {
    this.#sql.exec('DELETE FROM requests WHERE seq = ?', seq);
  }

  /** Forgets what is over, and everything up to a number. */
  forget(now: number, upTo: number): void {
    this.#sql.exec('DELETE FROM requests WHERE until <= ?', now);
    this.#sql.exec('DELETE FROM requests WHERE seq <= ?', upTo);
  }

  /** When the first request is over. */
  firstEnd(): number | undefined {
    const { first } = this.#sql
      .exec<{ first: number | null }>('SELECT min(until) AS first FROM requests')
      .one();
    return first ?? undefined;
  }
}
