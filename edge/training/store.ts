import { ulid } from '../http/ulid.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import type { VersionRef } from '../registry/lineage.ts';
import { allOf, type Page, TableStore } from '../storage/table-store.ts';
import { type JobQuery, type JobStatus, TERMINAL } from './contract/job.ts';
import { dueAt } from './machine.ts';
import type { QueuedJob } from './placement.ts';
import { type JobState, type NewJob, waitingSeats } from './state.ts';

/** A job as it is stored. */
export interface StoredJob {
  readonly jobId: string;
  readonly createdAt: string;
  readonly job: NewJob;
  readonly state: JobState;
}

/** The table of jobs. */
export class JobStore extends TableStore {
  add(job: NewJob, state: JobState): StoredJob {
    const jobId = `job_${ulid(state.updatedAt)}`;
    const createdAt = new Date(state.updatedAt).toISOString();
    const { kind, category, model_type, model_name, dataset_path, created_by, team } = job;
    this.insert('jobs', {
      job_id: jobId,
      kind,
      category,
      model_type,
      model_name,
      created_by,
      team,
      dataset_path: dataset_path ?? '',
      created_at: createdAt,
      priority: job.priority,
      job: JSON.stringify(job),
      ...columnsOf(state),
    });
    return { jobId, createdAt, job, state };
  }

  find(jobId: string): StoredJob | undefined {
    const row = this.row<JobRow>`SELECT * FROM jobs WHERE job_id = ${jobId}`;
    return row && storedOf(row);
  }

  /** Owner and team of a job; undefined where there is none. */
  ownership(jobId: string): Ownership | undefined {
    const query = 'SELECT created_by AS owner, team FROM jobs WHERE job_id = ?';
    return this.row<{ owner: string; team: string }>(query, jobId);
  }

  /** How many jobs of an owner, and of the team, are in progress. */
  inProgress({ owner, team }: Ownership): Used {
    return this.usage`
      SELECT count(*) FILTER (WHERE created_by = ${owner}) AS own, count(*) AS "all" FROM jobs
      WHERE team = ${team} AND finished_at IS NULL`;
  }

  /** The jobs of a team that have not ended. */
  idsInProgress(team: string): ReadonlySet<string> {
    return new Set(this.#ids('team = ? AND finished_at IS NULL', team));
  }

  write(jobId: string, state: JobState): void {
    const columns = columnsOf(state);
    const assignments = Object.keys(columns).map((name) => `${name} = ?`);
    this.run(
      `UPDATE jobs SET ${assignments.join(', ')} WHERE job_id = ?`,
      ...Object.values(columns),
      jobId,
    );
  }

  /** Removes a job; its rows in other tables are the caller's to remove. */
  remove(jobId: string): void {
    this.run`DELETE FROM jobs WHERE job_id = ${jobId}`;
  }

  /** Jobs of a team, or of all where it is undefined. */
  list(query: Omit<JobQuery, 'cursor'>, start: number, team: string | undefined): Page<StoredJob> {
    const selection = { columns: '*', table: 'jobs', ...conditionOf({ ...query, seen: team }) };
    const { items, ...page } = this.pageOf<JobRow>(selection, { ...query, start });
    return { ...page, items: items.map(storedOf) };
  }

  countByStatus(team?: string): Readonly<Partial<Record<JobStatus, number>>> {
    const { where, values } = conditionOf({ seen: team });
    const rows = this.rows<{ status: JobStatus; total: number }>(
      `SELECT status, count(*) AS total FROM jobs WHERE ${where} GROUP BY status`,
      ...values,
    );
    return Object.fromEntries(rows.map(({ status, total }) => [status, total]));
  }

  /** Jobs that ended before a time, the oldest first. */
  endedBefore(time: number, limit: number): readonly string[] {
    return this.#ids('finished_at < ? ORDER BY finished_at LIMIT ?', time, limit);
  }

  /** Jobs that time alone changes by now. */
  due(now: number): readonly string[] {
    return this.#ids('due_at <= ? ORDER BY due_at', now);
  }

  nextDue(): number | undefined {
    return this.value<number | null>('SELECT min(due_at) FROM jobs') ?? undefined;
  }

  waiting(): readonly QueuedJob[] {
    return this.rows<{
      jobId: string;
      seq: number;
      owner: string;
      priority: number;
      status: JobStatus;
    }>(
      `SELECT job_id AS jobId, seq, created_by AS owner, priority, status FROM jobs
       WHERE waiting > 0 AND status != 'cancelling'`,
    );
  }

  /** Seats that wait for a trainer. */
  queueDepth(): number {
    return this.value('SELECT coalesce(sum(waiting), 0) FROM jobs WHERE waiting > 0');
  }

  /** The result of the latest job whose `output_dir` is this path or a folder above it. */
  resultAt(path: string, team: string | undefined): VersionRef | undefined {
    const row = this.row<{ modelId: string; version: string }>`
      SELECT state ->> '$.model.model_id' AS modelId, state ->> '$.model.version' AS version
      FROM jobs
      WHERE status = 'succeeded' AND (${team ?? null} IS NULL OR team = ${team ?? null}) AND job
        ->> '$.output_dir' IS NOT NULL
        AND (job ->> '$.output_dir' = ${path}
          OR substr(${path}, 1, length(job ->> '$.output_dir') + 1) = (job ->> '$.output_dir') ||
            '/')
      ORDER BY seq DESC LIMIT 1`;
    return row;
  }

  /** Whether a job in progress names a dataset. */
  namesDataset(path: string): boolean {
    const query = 'SELECT 1 FROM jobs WHERE dataset_path = ? AND finished_at IS NULL LIMIT 1';
    return this.exists(query, path);
  }

  #ids(where: string, ...values: readonly SqlStorageValue[]): readonly string[] {
    const query = `SELECT job_id FROM jobs WHERE ${where}`;
    return this.rows<{ job_id: string }>(query, ...values).map((row) => row.job_id);
  }
}

type JobRow = { job_id: string; team: string; created_at: string; job: string; state: string };

const storedOf = (row: JobRow): StoredJob => ({
  jobId: row.job_id,
  createdAt: row.created_at,
  job: { ...JSON.parse(row.job), team: row.team },
  state: JSON.parse(row.state),
});

/** The columns that follow from a job's state. */
function columnsOf(state: JobState) {
  const isOver = TERMINAL.has(state.status);
  return {
    status: state.status,
    waiting: isOver ? 0 : waitingSeats(state),
    due_at: isOver ? null : (dueAt(state) ?? null),
    finished_at: state.finishedAt,
    state: JSON.stringify(state),
  };
}

/** Trainers that ever held a job, and the one that it requires. */
const TRAINERS_OF_JOB =
  'SELECT trainer_id FROM attempts WHERE attempts.job_id = jobs.job_id ' +
  "UNION ALL SELECT json_extract(job, '$.requirements.trainer_id')";

type Filters = Partial<Omit<JobQuery, 'cursor' | 'limit' | 'order'>> & {
  /** The team whose jobs are visible; undefined for all. */
  readonly seen: string | undefined;
};

const conditionOf = ({ status = [], ...query }: Filters) =>
  allOf(
    [
      'status IN (SELECT value FROM json_each(?))',
      status.length > 0 ? JSON.stringify(status) : undefined,
    ],
    ['team = ?', query.seen],
    ['team = ?', query.team],
    ['kind = ?', query.kind],
    ['category = ?', query.category],
    ['model_type = ?', query.model_type],
    ['model_name = ?', query.model_name],
    [`? IN (${TRAINERS_OF_JOB})`, query.trainer_id],
    ['julianday(created_at) > julianday(?)', query.created_after],
    ['julianday(created_at) < julianday(?)', query.created_before],
  );
