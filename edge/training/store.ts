import { type JobQuery, type JobStatus, TERMINAL } from './contract/job.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import { ulid } from '../http/ulid.ts';
import type { NewJob } from './new-job.ts';
import type { QueuedJob } from './queue.ts';
import type { VersionRef } from '../registry/lineage.ts';
import { dueAt } from './machine.ts';
import { type JobState, waitingSeats } from './state.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/** A job as it is stored. */
export interface StoredJob {
  readonly jobId: string;
  readonly createdAt: string;
  readonly job: NewJob;
  readonly state: JobState;
}

export interface JobPage {
  readonly jobs: readonly StoredJob[];
  readonly total: number;
  /** Where the next page starts, or undefined after the last one. */
  readonly next: number | undefined;
}

/** The table of jobs. Every method is one synchronous step. */
export class JobStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(job: NewJob, state: JobState): StoredJob {
    const jobId = `job_${ulid(state.updatedAt)}`;
    const createdAt = new Date(state.updatedAt).toISOString();
    this.#sql.exec(
      `INSERT INTO jobs (job_id, kind, category, model_type, model_name, dataset_path, created_by,
         team, created_at, priority, job, status, waiting, due_at, finished_at, state)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      jobId,
      job.kind,
      job.category,
      job.model_type,
      job.model_name,
      job.dataset_path ?? '',
      job.created_by,
      job.team,
      createdAt,
      job.priority,
      JSON.stringify(job),
      ...columnsOf(state),
    );
    return { jobId, createdAt, job, state };
  }

  find(jobId: string): StoredJob | undefined {
    const [row] = this.#sql.exec<JobRow>('SELECT * FROM jobs WHERE job_id = ?', jobId).toArray();
    return row && storedOf(row);
  }

  /** Whose a job is; undefined where there is none. */
  ownership(jobId: string): Ownership | undefined {
    const [row] = this.#sql
      .exec<Row<'created_by' | 'team'>>('SELECT created_by, team FROM jobs WHERE job_id = ?', jobId)
      .toArray();
    return row && { owner: String(row.created_by), team: String(row.team) };
  }

  /** How many jobs of an owner, and of the team, have not ended. */
  underWay({ owner, team }: Ownership): Used {
    const { own, all } = this.#sql
      .exec<Row<'own' | 'all'>>(
        `SELECT count(*) FILTER (WHERE created_by = ?) AS own, count(*) AS "all" FROM jobs
         WHERE team = ? AND finished_at IS NULL`,
        owner,
        team,
      )
      .one();
    return { owner: Number(own), team: Number(all) };
  }

  /** The jobs of a team that have not ended. */
  idsUnderWay(team: string): ReadonlySet<string> {
    return new Set(this.#ids('team = ? AND finished_at IS NULL', team));
  }

  write(jobId: string, state: JobState): void {
    this.#sql.exec(
      `UPDATE jobs SET status = ?, waiting = ?, due_at = ?, finished_at = ?, state = ?
       WHERE job_id = ?`,
      ...columnsOf(state),
      jobId,
    );
  }

  /** Takes a job away; the caller sees to what lies in other tables. */
  remove(jobId: string): void {
    this.#sql.exec('DELETE FROM jobs WHERE job_id = ?', jobId);
  }

  /** Jobs of a team, or of all where none is named. */
  page(query: Omit<JobQuery, 'cursor'>, from: number, team: string | undefined): JobPage {
    const { clauses, values } = filtersOf({ ...query, seen: team });
    const where = clauses.join(' AND ');
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM jobs WHERE ${where}`, ...values)
      .one();
    const [beyond, direction] = query.order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
    const rows = this.#sql
      .exec<JobRow & Row<'seq'>>(
        `SELECT * FROM jobs WHERE ${where} AND seq ${beyond} ? ORDER BY seq ${direction} LIMIT ?`,
        ...values,
        from,
        query.limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, query.limit);
    const next = rows.length > shown.length ? Number(shown.at(-1)?.seq) : undefined;
    return { jobs: shown.map(storedOf), total, next };
  }

  countByStatus(team?: string): Readonly<Partial<Record<JobStatus, number>>> {
    const { clauses, values } = filtersOf({ seen: team });
    const rows = this.#sql
      .exec<Row<'status' | 'total'>>(
        `SELECT status, count(*) AS total FROM jobs WHERE ${clauses.join(' AND ')} GROUP BY status`,
        ...values,
      )
      .toArray();
    return Object.fromEntries(rows.map(({ status, total }) => [String(status), Number(total)]));
  }

  /** Jobs that have ended: those before a time, and the oldest ones. */
  terminal(before: number, limit: number): readonly string[] {
    return this.#ids(
      `finished_at IS NOT NULL AND finished_at < ? ORDER BY finished_at LIMIT ?`,
      before,
      limit,
    );
  }

  /** Jobs that time changes by now. */
  due(now: number): readonly string[] {
    return this.#ids('due_at <= ? ORDER BY due_at', now);
  }

  nextDue(): number | undefined {
    const [row] = this.#sql.exec<Row<'next'>>('SELECT min(due_at) AS next FROM jobs').toArray();
    return row?.next === null || row === undefined ? undefined : Number(row.next);
  }

  waiting(): readonly QueuedJob[] {
    return this.#sql
      .exec<Row<'job_id' | 'seq' | 'created_by' | 'priority' | 'status'>>(
        `SELECT job_id, seq, created_by, priority, status FROM jobs
         WHERE waiting > 0 AND status != 'cancelling'`,
      )
      .toArray()
      .map((row) => ({
        jobId: String(row.job_id),
        seq: Number(row.seq),
        owner: String(row.created_by),
        priority: Number(row.priority),
        // Only statuses are written to this column.
        status: String(row.status) as JobStatus,
      }));
  }

  /** Seats that wait for a trainer. */
  queueDepth(): number {
    return this.#sql
      .exec<{ depth: number }>(
        'SELECT coalesce(sum(waiting), 0) AS depth FROM jobs WHERE waiting > 0',
      )
      .one().depth;
  }

  /** The result of the latest job that was to be kept in a folder, or in a folder above it. */
  resultKeptAt(path: string, team: string | undefined): VersionRef | undefined {
    const [row] = this.#sql
      .exec<Row<'model'>>(
        `SELECT json_extract(state, '$.model') AS model FROM jobs
         WHERE status = 'succeeded' AND (?2 IS NULL OR team = ?2) AND json_extract(job, '$.output_dir') IS NOT NULL
           AND (json_extract(job, '$.output_dir') = ?1
             OR substr(?1, 1, length(json_extract(job, '$.output_dir')) + 1)
               = json_extract(job, '$.output_dir') || '/')
         ORDER BY seq DESC LIMIT 1`,
        path,
        team ?? null,
      )
      .toArray();
    const model = row && (JSON.parse(String(row.model)) as NonNullable<JobState['model']>);
    return model && { modelId: model.model_id, version: model.version };
  }

  /** Whether a job under way names a dataset. */
  namesDataset(path: string): boolean {
    const [row] = this.#sql
      .exec('SELECT 1 FROM jobs WHERE dataset_path = ? AND finished_at IS NULL LIMIT 1', path)
      .toArray();
    return row !== undefined;
  }

  #ids(where: string, ...values: readonly SqlStorageValue[]): readonly string[] {
    return this.#sql
      .exec<Row<'job_id'>>(`SELECT job_id FROM jobs WHERE ${where}`, ...values)
      .toArray()
      .map((row) => String(row.job_id));
  }
}

type JobRow = Row<'job_id' | 'team' | 'created_at' | 'job' | 'state'>;
const storedOf = (row: JobRow): StoredJob => ({
  jobId: String(row.job_id),
  createdAt: String(row.created_at),
  job: { ...JSON.parse(String(row.job)), team: String(row.team) },
  state: JSON.parse(String(row.state)),
});

/** status, waiting, due_at, finished_at and state, in this order. */
function columnsOf(state: JobState): readonly SqlStorageValue[] {
  const isOver = TERMINAL.has(state.status);
  return [
    state.status,
    isOver ? 0 : waitingSeats(state),
    isOver ? null : (dueAt(state) ?? null),
    state.finishedAt,
    JSON.stringify(state),
  ];
}

/** Those that ever held a job, and the one that it asks for. */
const TRAINERS_OF_JOB =
  'SELECT trainer_id FROM attempts WHERE attempts.job_id = jobs.job_id ' +
  "UNION ALL SELECT json_extract(job, '$.requirements.trainer_id')";

type Filters = Partial<Omit<JobQuery, 'cursor' | 'limit' | 'order'>> & {
  /** The team whose jobs may be seen; undefined for all. */
  readonly seen: string | undefined;
};

function filtersOf(query: Filters) {
  const clauses = ['1 = 1'];
  const values: string[] = [];
  const add = (clause: string, value: string | undefined) => {
    if (value === undefined) return;
    clauses.push(clause);
    values.push(value);
  };
  const { status = [] } = query;
  if (status.length > 0) {
    clauses.push(`status IN (${status.map(() => '?').join(', ')})`);
    values.push(...status);
  }
  add('team = ?', query.seen);
  add('team = ?', query.team);
  add('kind = ?', query.kind);
  add('category = ?', query.category);
  add('model_type = ?', query.model_type);
  add('model_name = ?', query.model_name);
  add(`? IN (${TRAINERS_OF_JOB})`, query.trainer_id);
  add('julianday(created_at) > julianday(?)', query.created_after);
  add('julianday(created_at) < julianday(?)', query.created_before);
  return { clauses, values };
}
