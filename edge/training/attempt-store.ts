import type { Service } from './queue.ts';
import type { Outcome, SeatLease } from './state.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

export interface StoredAttempt extends Omit<SeatLease, 'expiresAt' | 'isHeard'> {
  readonly seat: number;
  readonly endedAt: number | null;
  readonly outcome: Outcome | null;
}

/** The most attempts that a record shows. */
const SHOWN_ATTEMPTS = 100;

/** Who held which seat of a job, and how the owners of jobs were served. */
export class AttemptStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  service(): Service {
    const live = this.#sql
      .exec<Row<'created_by' | 'total'>>(
        `SELECT created_by, count(*) AS total FROM attempts JOIN jobs USING (job_id)
         WHERE outcome IS NULL GROUP BY created_by`,
      )
      .toArray();
    const served = this.#sql
      .exec<Row<'owner' | 'served_at'>>('SELECT owner, served_at FROM owners')
      .toArray();
    return {
      liveLeases: new Map(live.map((row) => [String(row.created_by), Number(row.total)])),
      servedAt: new Map(served.map((row) => [String(row.owner), Number(row.served_at)])),
    };
  }

  noteServed(owner: string, now: number): void {
    this.#sql.exec(
      `INSERT INTO owners (owner, served_at) VALUES (?1, ?2)
       ON CONFLICT (owner) DO UPDATE SET served_at = ?2`,
      owner,
      now,
    );
  }

  begin(jobId: string, seat: number, lease: SeatLease): void {
    this.#sql.exec(
      `INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)`,
      jobId,
      lease.token,
      seat,
      lease.trainerId,
      lease.trainerName,
      lease.leaseId,
      lease.fromStep,
      lease.lastStep,
      lease.startedAt,
      lease.heartbeatAt,
    );
  }

  end(jobId: string, lease: SeatLease, outcome: Outcome, now: number): void {
    this.#sql.exec(
      `UPDATE attempts SET last_step = ?, heartbeat_at = ?, ended_at = ?, outcome = ?
       WHERE job_id = ? AND token = ?`,
      lease.lastStep,
      lease.heartbeatAt,
      now,
      outcome,
      jobId,
      lease.token,
    );
  }

  find(jobId: string, token: number): StoredAttempt | undefined {
    const [row] = this.#sql
      .exec<AttemptRow>('SELECT * FROM attempts WHERE job_id = ? AND token = ?', jobId, token)
      .toArray();
    return row && attemptOf(row);
  }

  /** Whether a trainer of an owner ever held a job. */
  wasHeldBy(jobId: string, owner: string): boolean {
    const found = this.#sql.exec(
      `SELECT 1 FROM attempts JOIN trainers USING (trainer_id)
       WHERE job_id = ? AND trainers.created_by = ? LIMIT 1`,
      jobId,
      owner,
    );
    return found.toArray().length > 0;
  }

  /** The latest attempts, in the order in which they were begun. */
  all(jobId: string): readonly StoredAttempt[] {
    return this.#sql
      .exec<AttemptRow>(
        'SELECT * FROM attempts WHERE job_id = ? ORDER BY token DESC LIMIT ?',
        jobId,
        SHOWN_ATTEMPTS,
      )
      .toArray()
      .toReversed()
      .map(attemptOf);
  }

  /** The jobs that each trainer holds, once for each seat. */
  held(): ReadonlyMap<string, readonly string[]> {
    const rows = this.#sql
      .exec<Row<'trainer_id' | 'job_id'>>(
        'SELECT trainer_id, job_id FROM attempts WHERE outcome IS NULL',
      )
      .toArray();
    const byTrainer = Map.groupBy(rows, (row) => String(row.trainer_id));
    return new Map(
      Array.from(byTrainer, ([id, held]) => [id, held.map((row) => String(row.job_id))]),
    );
  }

  remove(jobId: string): void {
    this.#sql.exec('DELETE FROM attempts WHERE job_id = ?', jobId);
  }
}

type AttemptRow = Row<
  | 'token'
  | 'seat'
  | 'trainer_id'
  | 'trainer_name'
  | 'lease_id'
  | 'from_step'
  | 'last_step'
  | 'started_at'
  | 'heartbeat_at'
  | 'ended_at'
  | 'outcome'
>;

const attemptOf = (row: AttemptRow): StoredAttempt => ({
  leaseId: String(row.lease_id),
  token: Number(row.token),
  seat: Number(row.seat),
  trainerId: String(row.trainer_id),
  trainerName: String(row.trainer_name),
  fromStep: Number(row.from_step),
  lastStep: Number(row.last_step),
  startedAt: Number(row.started_at),
  heartbeatAt: Number(row.heartbeat_at),
  endedAt: row.ended_at === null ? null : Number(row.ended_at),
  // Only outcomes are written to this column.
  outcome: row.outcome === null ? null : (String(row.outcome) as Outcome),
});
