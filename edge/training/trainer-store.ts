import type { TrainerAnnouncement } from './contract/trainer.ts';
import type { Ownership, Used } from '../http/ownership.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/** A trainer as it is stored. Times are epoch milliseconds. */
export interface StoredTrainer {
  readonly trainerId: string;
  readonly announcement: Omit<TrainerAnnouncement, 'trainer_id'>;
  readonly isDraining: boolean;
  readonly succeeded: number;
  readonly failed: number;
  readonly createdBy: string;
  readonly team: string;
  /** Whether it takes jobs of all teams. */
  readonly servesAll: boolean;
  readonly registeredAt: number;
  readonly lastSeenAt: number;
  readonly idleSince: number;
}

/** The table of trainers. */
export class TrainerStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): readonly StoredTrainer[] {
    return this.#sql
      .exec<TrainerRow>('SELECT * FROM trainers ORDER BY registered_at, trainer_id')
      .toArray()
      .map(trainerOf);
  }

  find(id: string): StoredTrainer | undefined {
    const [row] = this.#sql
      .exec<TrainerRow>('SELECT * FROM trainers WHERE trainer_id = ?', id)
      .toArray();
    return row && trainerOf(row);
  }

  count(): number {
    return this.#sql.exec<{ total: number }>('SELECT count(*) AS total FROM trainers').one().total;
  }

  /** How many an owner has, and his team. */
  used({ owner, team }: Ownership): Used {
    const { own, all } = this.#sql
      .exec<Row<'own' | 'all'>>(
        `SELECT count(*) FILTER (WHERE created_by = ?) AS own, count(*) AS "all" FROM trainers
         WHERE team = ?`,
        owner,
        team,
      )
      .one();
    return { owner: Number(own), team: Number(all) };
  }

  put(trainer: StoredTrainer): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO trainers (trainer_id, announcement, draining, succeeded, failed,
         created_by, registered_at, last_seen_at, idle_since, team, all_teams)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      trainer.trainerId,
      JSON.stringify(trainer.announcement),
      Number(trainer.isDraining),
      trainer.succeeded,
      trainer.failed,
      trainer.createdBy,
      trainer.registeredAt,
      trainer.lastSeenAt,
      trainer.idleSince,
      trainer.team,
      Number(trainer.servesAll),
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM trainers WHERE trainer_id = ?', id);
  }

  /** Takes those away that were not seen since a time. */
  removeUnseen(since: number): void {
    this.#sql.exec('DELETE FROM trainers WHERE last_seen_at < ?', since);
  }
}

type TrainerRow = Row<
  | 'trainer_id'
  | 'announcement'
  | 'draining'
  | 'succeeded'
  | 'failed'
  | 'created_by'
  | 'registered_at'
  | 'last_seen_at'
  | 'idle_since'
  | 'team'
  | 'all_teams'
>;

const trainerOf = (row: TrainerRow): StoredTrainer => ({
  trainerId: String(row.trainer_id),
  announcement: JSON.parse(String(row.announcement)),
  isDraining: row.draining === 1,
  succeeded: Number(row.succeeded),
  failed: Number(row.failed),
  createdBy: String(row.created_by),
  team: String(row.team),
  servesAll: row.all_teams === 1,
  registeredAt: Number(row.registered_at),
  lastSeenAt: Number(row.last_seen_at),
  idleSince: Number(row.idle_since),
});
