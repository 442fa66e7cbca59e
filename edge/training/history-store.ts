import type { JobEvent, MetricPoint } from './contract/job-event.ts';
import { ulid } from '../http/ulid.ts';
import {
  CHUNK_POINTS,
  choosePoints,
  MOST_POINTS,
  NEW_SERIES,
  packPoint,
  type SeriesHead,
  thinOut,
  unpackPoint,
} from './series.ts';
import type { NewEvent } from './state.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/** The latest events that are kept of a job. */
const MOST_EVENTS = 5000;

export interface EventPage {
  readonly events: readonly JobEvent[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** What happened to jobs and what was measured: the tables of events and series. */
export class HistoryStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  addEvent(jobId: string, event: NewEvent, now: number): JobEvent {
    const seq = this.#lastSeq(jobId) + 1;
    const created_at = new Date(now).toISOString();
    const kept: JobEvent = { id: `evt_${ulid(now)}`, seq, created_at, ...event };
    this.#sql.exec('INSERT INTO events VALUES (?, ?, ?)', jobId, seq, JSON.stringify(kept));
    if (seq > MOST_EVENTS) {
      this.#sql.exec('DELETE FROM events WHERE job_id = ? AND seq <= ?', jobId, seq - MOST_EVENTS);
    }
    return kept;
  }

  events(jobId: string, after: number, limit: number): EventPage {
    const rows = this.#sql
      .exec<Row<'event'>>(
        'SELECT event FROM events WHERE job_id = ? AND seq > ? ORDER BY seq LIMIT ?',
        jobId,
        after,
        limit + 1,
      )
      .toArray();
    const { total } = this.#sql
      .exec<{ total: number }>('SELECT count(*) AS total FROM events WHERE job_id = ?', jobId)
      .one();
    const events = rows.slice(0, limit).map((row): JobEvent => JSON.parse(String(row.event)));
    return { events, total, hasMore: rows.length > limit };
  }

  /** Adds points of one seat; beyond a thousand, they are thinned evenly. */
  addPoints(jobId: string, seat: number, arrived: readonly MetricPoint[]): void {
    const appended = choosePoints(this.#head(jobId, seat), arrived);
    this.#writeHead(jobId, seat, appended.head);
    if (appended.points.length === 0) return;
    if (appended.head.kept > MOST_POINTS) {
      const points = [...this.points(jobId, seat), ...appended.points];
      const thinned = thinOut({ head: appended.head, points });
      this.#rewrite(jobId, seat, thinned.points);
      this.#writeHead(jobId, seat, thinned.head);
      return;
    }
    const last = this.#lastChunk(jobId, seat);
    const isFull = last.points.length >= CHUNK_POINTS;
    const kept = isFull ? appended.points : [...last.points, ...appended.points];
    this.#writeChunk({ jobId, seat, chunk: last.chunk + (isFull ? 1 : 0) }, kept);
  }

  /** Drops what a lost attempt measured beyond the step that the next one goes on from. */
  truncate(jobId: string, seat: number, step: number): void {
    const all = this.points(jobId, seat);
    const points = all.filter((point) => point.step <= step);
    if (points.length === all.length) return;
    this.#rewrite(jobId, seat, points);
    this.#writeHead(jobId, seat, { ...this.#head(jobId, seat), kept: points.length });
  }

  points(jobId: string, seat: number): readonly MetricPoint[] {
    return this.#sql
      .exec<Row<'points'>>(
        'SELECT points FROM series WHERE job_id = ? AND seat = ? ORDER BY chunk',
        jobId,
        seat,
      )
      .toArray()
      .flatMap((row) => pointsIn(row.points, seat));
  }

  seats(jobId: string): readonly number[] {
    return this.#sql
      .exec<Row<'seat'>>('SELECT seat FROM series_heads WHERE job_id = ? ORDER BY seat', jobId)
      .toArray()
      .map((row) => Number(row.seat));
  }

  remove(jobId: string): void {
    for (const table of ['events', 'series', 'series_heads']) {
      this.#sql.exec(`DELETE FROM ${table} WHERE job_id = ?`, jobId);
    }
  }

  #lastSeq(jobId: string): number {
    const [row] = this.#sql
      .exec<Row<'seq'>>('SELECT seq FROM events WHERE job_id = ? ORDER BY seq DESC LIMIT 1', jobId)
      .toArray();
    return Number(row?.seq ?? 0);
  }

  #head(jobId: string, seat: number): SeriesHead {
    const [row] = this.#sql
      .exec<Row<'head'>>('SELECT head FROM series_heads WHERE job_id = ? AND seat = ?', jobId, seat)
      .toArray();
    return row ? JSON.parse(String(row.head)) : NEW_SERIES;
  }

  #writeHead(jobId: string, seat: number, head: SeriesHead): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO series_heads VALUES (?, ?, ?)',
      jobId,
      seat,
      JSON.stringify(head),
    );
  }

  #lastChunk(jobId: string, seat: number) {
    const [row] = this.#sql
      .exec<Row<'chunk' | 'points'>>(
        `SELECT chunk, points FROM series WHERE job_id = ? AND seat = ?
         ORDER BY chunk DESC LIMIT 1`,
        jobId,
        seat,
      )
      .toArray();
    return { chunk: Number(row?.chunk ?? 0), points: row ? pointsIn(row.points, seat) : [] };
  }

  #writeChunk(
    { jobId, seat, chunk }: { jobId: string; seat: number; chunk: number },
    points: readonly MetricPoint[],
  ): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO series VALUES (?, ?, ?, ?)',
      jobId,
      seat,
      chunk,
      JSON.stringify(points.map(packPoint)),
    );
  }

  #rewrite(jobId: string, seat: number, points: readonly MetricPoint[]): void {
    this.#sql.exec('DELETE FROM series WHERE job_id = ? AND seat = ?', jobId, seat);
    for (let from = 0, chunk = 0; from < points.length; from += CHUNK_POINTS, chunk++) {
      this.#writeChunk({ jobId, seat, chunk }, points.slice(from, from + CHUNK_POINTS));
    }
  }
}

const pointsIn = (text: SqlStorageValue, seat: number): readonly MetricPoint[] =>
  (JSON.parse(String(text)) as Parameters<typeof unpackPoint>[0][]).map((packed) =>
    unpackPoint(packed, seat),
  );
