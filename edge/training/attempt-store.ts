import { TableStore } from '../storage/table-store.ts';
import type { Service } from './placement.ts';
import type { Outcome, SeatLease } from './state.ts';

export interface StoredAttempt extends Omit<SeatLease, 'expiresAt' | 'isHeard'> {
  readonly seat: number;
  readonly endedAt: number | null;
  readonly outcome: Outcome | null;
}

/** The most attempts that a job record lists. */
const MAX_LISTED = 100;

const COLUMNS = `token, seat, trainer_id AS trainerId, trainer_name AS trainerName,
  lease_id AS leaseId, from_step AS fromStep, last_step AS lastStep, started_at AS startedAt,
  heartbeat_at AS heartbeatAt, ended_at AS endedAt, outcome`;
type AttemptRow = { -readonly [K in keyof StoredAttempt]: StoredAttempt[K] };

/** The attempts at each job, and when each owner was last given a trainer. */
export class AttemptStore extends TableStore {
  service(): Service {
    const live = this.rows<{ created_by: string; total: number }>(
      `SELECT created_by, count(*) AS total FROM attempts JOIN jobs USING (job_id)
       WHERE outcome IS NULL GROUP BY created_by`,
    );
    const served = this.rows<{ owner: string; served_at: number }>('SELECT * FROM owners');
    return {
      liveLeases: new Map(live.map((row) => [row.created_by, row.total])),
      servedAt: new Map(served.map((row) => [row.owner, row.served_at])),
    };
  }

  noteServed(owner: string, now: number): void {
    this.replace('owners', { owner, served_at: now });
  }

  begin(jobId: string, seat: number, lease: SeatLease): void {
    this.insert('attempts', {
      job_id: jobId,
      token: lease.token,
      seat,
      trainer_id: lease.trainerId,
      trainer_name: lease.trainerName,
      lease_id: lease.leaseId,
      from_step: lease.fromStep,
      last_step: lease.lastStep,
      started_at: lease.startedAt,
      heartbeat_at: lease.heartbeatAt,
    });
  }

  end(jobId: string, lease: SeatLease, outcome: Outcome, now: number): void {
    this.run`UPDATE attempts SET last_step = ${lease.lastStep}, heartbeat_at = ${lease.heartbeatAt},
        ended_at = ${now}, outcome = ${outcome}
      WHERE job_id = ${jobId} AND token = ${lease.token}`;
  }

  find(jobId: string, token: number): StoredAttempt | undefined {
    const query = `SELECT ${COLUMNS} FROM attempts WHERE job_id = ? AND token = ?`;
    return this.row<AttemptRow>(query, jobId, token);
  }

  /** Whether a trainer of an owner ever held a job. */
  wasHeldBy(jobId: string, owner: string): boolean {
    return this.exists`SELECT 1 FROM attempts JOIN trainers USING (trainer_id)
      WHERE job_id = ${jobId} AND trainers.created_by = ${owner} LIMIT 1`;
  }

  /** The latest attempts, the earliest of them first. */
  all(jobId: string): readonly StoredAttempt[] {
    const query = `SELECT ${COLUMNS} FROM attempts WHERE job_id = ? ORDER BY token DESC LIMIT ?`;
    return this.rows<AttemptRow>(query, jobId, MAX_LISTED).toReversed();
  }

  /** The jobs that each trainer holds, once for each seat. */
  held(): ReadonlyMap<string, readonly string[]> {
    const rows = this.rows<{ trainer_id: string; job_id: string }>(
      'SELECT trainer_id, job_id FROM attempts WHERE outcome IS NULL',
    );
    const byTrainer = Map.groupBy(rows, (row) => row.trainer_id);
    return new Map(Array.from(byTrainer, ([id, held]) => [id, held.map((row) => row.job_id)]));
  }

  remove(jobId: string): void {
    this.run`DELETE FROM attempts WHERE job_id = ${jobId}`;
  }
}
