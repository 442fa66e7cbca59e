import { TableStore } from '../storage/table-store.ts';
import type { CheckpointRecord } from './contract/checkpoint.ts';
import type { RoundClosed } from './contract/round.ts';

/** Newest checkpoints that are retained of each job. */
const MAX_CHECKPOINTS = 3;

/** The checkpoints that jobs resume from, and the rounds closed since. */
export class CheckpointStore extends TableStore {
  add(record: CheckpointRecord, round: number): void {
    const { id: checkpoint_id, job_id, step } = record;
    this.insert('checkpoints', {
      checkpoint_id,
      job_id,
      round,
      step,
      record: JSON.stringify(record),
    });
    this.run`
      DELETE FROM checkpoints WHERE job_id = ${job_id} AND seq NOT IN (SELECT seq FROM checkpoints
      WHERE job_id = ${job_id} ORDER BY round DESC, step DESC, seq DESC LIMIT ${MAX_CHECKPOINTS})`;
  }

  /** The newest first. */
  all(jobId: string): readonly CheckpointRecord[] {
    const rows = this.rows<{
      record: string;
    }>`SELECT record FROM checkpoints WHERE job_id = ${jobId}
      ORDER BY round DESC, step DESC, seq DESC`;
    return rows.map(({ record }) => JSON.parse(record));
  }

  find(jobId: string, id: string): CheckpointRecord | undefined {
    return this.all(jobId).find((record) => record.id === id);
  }

  addRound(jobId: string, closed: RoundClosed): void {
    const { round } = closed;
    this.replace('rounds', { job_id: jobId, round, closed: JSON.stringify(closed) });
  }

  dropRounds(jobId: string, through: number): void {
    this.run`DELETE FROM rounds WHERE job_id = ${jobId} AND round <= ${through}`;
  }

  rounds(jobId: string, after: number): readonly RoundClosed[] {
    const query = 'SELECT closed FROM rounds WHERE job_id = ? AND round > ? ORDER BY round';
    return this.rows<{ closed: string }>(query, jobId, after).map(({ closed }) =>
      JSON.parse(closed),
    );
  }

  /** The digests of the parts that checkpoints and closed rounds consist of. */
  namedParts(): ReadonlySet<string> {
    const rows = this.rows<{ digest: string }>(
      `SELECT part.value ->> '$.digest' AS digest FROM checkpoints,
         json_each(record, '$.files') AS file, json_each(file.value, '$.parts') AS part
       UNION SELECT part.value ->> '$.digest' FROM rounds,
         json_each(closed, '$.contributions') AS sent,
         json_each(sent.value, '$.delta.parts') AS part
       UNION SELECT part.value ->> '$.digest' FROM jobs,
         json_each(state, '$.rounds.sent') AS sent,
         json_each(sent.value, '$.contribution.delta.parts') AS part
         WHERE finished_at IS NULL`,
    );
    return new Set(rows.map(({ digest }) => digest));
  }

  remove(jobId: string): void {
    for (const table of ['checkpoints', 'rounds']) {
      this.run(`DELETE FROM ${table} WHERE job_id = ?`, jobId);
    }
  }
}
