import type { CheckpointRecord } from './contract/checkpoint.ts';
import type { RoundClosed } from './contract/round.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/** The newest checkpoints of a job that are kept. */
const KEPT_CHECKPOINTS = 3;

/** What jobs left to go on from: their checkpoints, and the rounds closed since. */
export class CheckpointStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(record: CheckpointRecord, round: number): void {
    this.#sql.exec(
      `INSERT INTO checkpoints (checkpoint_id, job_id, round, step, record)
       VALUES (?, ?, ?, ?, ?)`,
      record.id,
      record.job_id,
      round,
      record.step,
      JSON.stringify(record),
    );
    this.#sql.exec(
      `DELETE FROM checkpoints WHERE job_id = ?1 AND seq NOT IN (SELECT seq FROM checkpoints
         WHERE job_id = ?1 ORDER BY round DESC, step DESC, seq DESC LIMIT ?2)`,
      record.job_id,
      KEPT_CHECKPOINTS,
    );
  }

  /** The newest first. */
  all(jobId: string): readonly CheckpointRecord[] {
    return this.#sql
      .exec<Row<'record'>>(
        `SELECT record FROM checkpoints WHERE job_id = ?
         ORDER BY round DESC, step DESC, seq DESC`,
        jobId,
      )
      .toArray()
      .map((row) => JSON.parse(String(row.record)));
  }

  find(jobId: string, id: string): CheckpointRecord | undefined {
    return this.all(jobId).find((record) => record.id === id);
  }

  addRound(jobId: string, closed: RoundClosed): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO rounds VALUES (?, ?, ?)',
      jobId,
      closed.round,
      JSON.stringify(closed),
    );
  }

  dropRounds(jobId: string, through: number): void {
    this.#sql.exec('DELETE FROM rounds WHERE job_id = ? AND round <= ?', jobId, through);
  }

  rounds(jobId: string, after: number): readonly RoundClosed[] {
    return this.#sql
      .exec<Row<'closed'>>(
        'SELECT closed FROM rounds WHERE job_id = ? AND round > ? ORDER BY round',
        jobId,
        after,
      )
      .toArray()
      .map((row) => JSON.parse(String(row.closed)));
  }

  /** The digests of the parts that checkpoints and closed rounds are made of. */
  namedParts(): ReadonlySet<string> {
    const rows = this.#sql
      .exec<Row<'digest'>>(
        `SELECT part.value ->> '$.digest' AS digest FROM checkpoints,
           json_each(record, '$.files') AS file, json_each(file.value, '$.parts') AS part
         UNION SELECT part.value ->> '$.digest' FROM rounds,
           json_each(closed, '$.contributions') AS sent,
           json_each(sent.value, '$.delta.parts') AS part
         UNION SELECT part.value ->> '$.digest' FROM jobs,
           json_each(state, '$.rounds.sent') AS sent,
           json_each(sent.value, '$.contribution.delta.parts') AS part
           WHERE finished_at IS NULL`,
      )
      .toArray();
    return new Set(rows.map((row) => String(row.digest)));
  }

  remove(jobId: string): void {
    for (const table of ['checkpoints', 'rounds']) {
      this.#sql.exec(`DELETE FROM ${table} WHERE job_id = ?`, jobId);
    }
  }
}
