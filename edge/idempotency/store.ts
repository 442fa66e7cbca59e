import type { StoredResponse, RequestState } from './machine.ts';
import { TableStore } from '../storage/table-store.ts';

/** The table of requests, and the only place that knows its SQL. */
export class IdempotencyStore extends TableStore {
  request(scope: string): RequestState | undefined {
    const row = this.row<{
      fingerprint: string;
      status: string;
      until: number;
      answer: string | null;
    }>`
      SELECT fingerprint, status, until, answer FROM requests WHERE scope = ${scope}`;
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
    return this.value<number>`INSERT OR REPLACE INTO requests (scope, fingerprint, status, until)
      VALUES (${scope}, ${fingerprint}, 'running', ${until}) RETURNING seq`;
  }

  finish(seq: number, answer: StoredResponse | null, until: number): void {
    this.run`UPDATE requests
      SET status = 'done', until = ${until}, answer = ${answer && JSON.stringify(answer)}
      WHERE seq = ${seq}`;
  }

  release(seq: number): void {
    this.run`DELETE FROM requests WHERE seq = ${seq}`;
  }

  /** Forgets what is over, and everything up to a number. */
  forget(now: number, upTo: number): void {
    this.run`DELETE FROM requests WHERE until <= ${now}`;
    this.run`DELETE FROM requests WHERE seq <= ${upTo}`;
  }

  /** When the first request is over. */
  firstEnd(): number | undefined {
    const { first } = this.one<{ first: number | null }>(
      'SELECT min(until) AS first FROM requests',
    );
    return first ?? undefined;
  }
}
