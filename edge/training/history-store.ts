import { ulid } from '../http/ulid.ts';
import { TableStore } from '../storage/table-store.ts';
import type { JobEvent, MetricPoint } from './contract/job-event.ts';
import type { NewEvent } from './state.ts';

/** Latest events that are retained of each job. */
const MAX_EVENTS = 5000;

export interface EventPage {
  readonly events: readonly JobEvent[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** The events of jobs and the series of their metrics. */
export class HistoryStore extends TableStore {
  addEvent(jobId: string, event: NewEvent, now: number): JobEvent {
    const last = this.row<{ seq: number }>`
      SELECT seq FROM events WHERE job_id = ${jobId} ORDER BY seq DESC LIMIT 1`;
    const seq = (last?.seq ?? 0) + 1;
    const created_at = new Date(now).toISOString();
    const stored: JobEvent = { id: `evt_${ulid(now)}`, seq, created_at, ...event };
    this.insert('events', { job_id: jobId, seq, event: JSON.stringify(stored) });
    if (seq > MAX_EVENTS) {
      this.run`DELETE FROM events WHERE job_id = ${jobId} AND seq <= ${seq - MAX_EVENTS}`;
    }
    return stored;
  }

  events(jobId: string, after: number, limit: number): EventPage {
    const rows = this.rows<{ event: string }>`
      SELECT event FROM events WHERE job_id = ${jobId} AND seq > ${after}
      ORDER BY seq LIMIT ${limit + 1}`;
    const total = this.value<number>`SELECT count(*) FROM events WHERE job_id = ${jobId}`;
    const events = rows.slice(0, limit).map(({ event }): JobEvent => JSON.parse(event));
    return { events, total, hasMore: rows.length > limit };
  }

  /** Adds points of one seat; beyond a thousand, they are thinned evenly. */
  addPoints(jobId: string, seat: number, arrived: readonly MetricPoint[]): void {
    const appended = choosePoints(this.#head(jobId, seat), arrived);
    this.#writeHead(jobId, seat, appended.head);
    if (appended.points.length === 0) return;
    if (appended.head.kept > MAX_POINTS) {
      const points = [...this.points(jobId, seat), ...appended.points];
      const thinned = thinOut({ head: appended.head, points });
      this.#rewrite(jobId, seat, thinned.points);
      this.#writeHead(jobId, seat, thinned.head);
      return;
    }
    const last = this.row<{ chunk: number; points: string }>`
      SELECT chunk, points FROM series WHERE job_id = ${jobId} AND seat = ${seat}
      ORDER BY chunk DESC LIMIT 1`;
    const points = last ? pointsIn(last.points, seat) : [];
    const isFull = points.length >= CHUNK_POINTS;
    const chunk = (last?.chunk ?? 0) + (isFull ? 1 : 0);
    const joined = isFull ? appended.points : [...points, ...appended.points];
    this.#writeChunk({ jobId, seat, chunk }, joined);
  }

  /** Drops the points of a lost attempt beyond the step that the next one resumes from. */
  truncate(jobId: string, seat: number, step: number): void {
    const all = this.points(jobId, seat);
    const points = all.filter((point) => point.step <= step);
    if (points.length === all.length) return;
    this.#rewrite(jobId, seat, points);
    this.#writeHead(jobId, seat, { ...this.#head(jobId, seat), kept: points.length });
  }

  points(jobId: string, seat: number): readonly MetricPoint[] {
    const query = 'SELECT points FROM series WHERE job_id = ? AND seat = ? ORDER BY chunk';
    const rows = this.rows<{ points: string }>(query, jobId, seat);
    return rows.flatMap(({ points }) => pointsIn(points, seat));
  }

  seats(jobId: string): readonly number[] {
    const query = 'SELECT seat FROM series_heads WHERE job_id = ? ORDER BY seat';
    return this.rows<{ seat: number }>(query, jobId).map(({ seat }) => seat);
  }

  remove(jobId: string): void {
    for (const table of ['events', 'series', 'series_heads']) {
      this.run(`DELETE FROM ${table} WHERE job_id = ?`, jobId);
    }
  }

  #head(jobId: string, seat: number): SeriesHead {
    const query = 'SELECT head FROM series_heads WHERE job_id = ? AND seat = ?';
    const row = this.row<{ head: string }>(query, jobId, seat);
    return row ? JSON.parse(row.head) : NEW_SERIES;
  }

  #writeHead(jobId: string, seat: number, head: SeriesHead): void {
    this.replace('series_heads', { job_id: jobId, seat, head: JSON.stringify(head) });
  }

  #writeChunk(
    { jobId, seat, chunk }: { jobId: string; seat: number; chunk: number },
    points: readonly MetricPoint[],
  ): void {
    const packed = JSON.stringify(points.map(packPoint));
    this.replace('series', { job_id: jobId, seat, chunk, points: packed });
  }

  #rewrite(jobId: string, seat: number, points: readonly MetricPoint[]): void {
    this.run`DELETE FROM series WHERE job_id = ${jobId} AND seat = ${seat}`;
    for (let from = 0, chunk = 0; from < points.length; from += CHUNK_POINTS, chunk++) {
      this.#writeChunk({ jobId, seat, chunk }, points.slice(from, from + CHUNK_POINTS));
    }
  }
}

const pointsIn = (text: string, seat: number): readonly MetricPoint[] =>
  (JSON.parse(text) as Packed[]).map((packed) => unpackPoint(packed, seat));

/** Points that are retained of each seat. */
const MAX_POINTS = 1000;
/** Points in a row of the table. */
const CHUNK_POINTS = 100;

/** Which points of a seat are stored: every `stride`-th that arrives. */
interface SeriesHead {
  readonly stride: number;
  /** Points dropped since the last stored one. */
  readonly skipped: number;
  readonly kept: number;
}

const NEW_SERIES: SeriesHead = { stride: 1, skipped: 0, kept: 0 };

interface Appended {
  readonly head: SeriesHead;
  readonly points: readonly MetricPoint[];
}

/** Selects the points to store from those that arrived. */
function choosePoints(head: SeriesHead, arrived: readonly MetricPoint[]): Appended {
  const { stride } = head;
  const points = arrived.filter((_, i) => (head.skipped + i + 1) % stride === 0);
  const skipped = (head.skipped + arrived.length) % stride;
  return { head: { stride, skipped, kept: head.kept + points.length }, points };
}

/** Drops every second point and doubles the stride, so that the curve stays evenly sampled. */
function thinOut({ head, points }: Appended): Appended {
  if (points.length <= MAX_POINTS) return { head, points };
  const kept = points.filter((_, i) => i % 2 === 0);
  const { stride, skipped } = head;
  const sinceKept = skipped + (points.length % 2 === 0 ? stride : 0);
  return thinOut({
    head: { stride: stride * 2, skipped: sinceKept, kept: kept.length },
    points: kept,
  });
}

type Packed = readonly (number | null)[];

/** A point as an array, without its seat. */
const packPoint = (point: MetricPoint): Packed => FIELDS.map((field) => point[field]);

function unpackPoint(packed: Packed, seat: number): MetricPoint {
  const values = Object.fromEntries(FIELDS.map((field, i) => [field, packed[i] ?? null]));
  // The fields that are never null were written by packPoint.
  return { ...values, seat } as MetricPoint;
}

const FIELDS = [
  'step',
  'time',
  'train_loss',
  'valid_loss',
  'tokens_per_s',
  'spike_rate',
  'learning_rate',
  'grad_norm',
] as const satisfies readonly (keyof MetricPoint)[];
