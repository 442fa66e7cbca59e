import type { Ownership, Used } from '../http/ownership.ts';
import { TableStore } from '../storage/table-store.ts';
import type { TrainerAnnouncement } from './contract/trainer.ts';

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
export class TrainerStore extends TableStore {
  all(): readonly StoredTrainer[] {
    const query = 'SELECT * FROM trainers ORDER BY registered_at, trainer_id';
    return this.rows<TrainerRow>(query).map(trainerOf);
  }

  find(id: string): StoredTrainer | undefined {
    const row = this.row<TrainerRow>`SELECT * FROM trainers WHERE trainer_id = ${id}`;
    return row && trainerOf(row);
  }

  count(): number {
    return this.value('SELECT count(*) FROM trainers');
  }

  /** How many trainers an owner has, and the team. */
  countOf({ owner, team }: Ownership): Used {
    return this.usage`
      SELECT count(*) FILTER (WHERE created_by = ${owner}) AS own, count(*) AS "all" FROM trainers
      WHERE team = ${team}`;
  }

  put(trainer: StoredTrainer): void {
    this.replace('trainers', {
      trainer_id: trainer.trainerId,
      announcement: JSON.stringify(trainer.announcement),
      draining: Number(trainer.isDraining),
      succeeded: trainer.succeeded,
      failed: trainer.failed,
      created_by: trainer.createdBy,
      registered_at: trainer.registeredAt,
      last_seen_at: trainer.lastSeenAt,
      idle_since: trainer.idleSince,
      team: trainer.team,
      all_teams: Number(trainer.servesAll),
    } satisfies TrainerRow);
  }

  remove(id: string): void {
    this.run`DELETE FROM trainers WHERE trainer_id = ${id}`;
  }

  removeUnseenSince(time: number): void {
    this.run`DELETE FROM trainers WHERE last_seen_at < ${time}`;
  }
}

type TrainerRow = Record<'trainer_id' | 'announcement' | 'created_by' | 'team', string> &
  Record<'draining' | 'succeeded' | 'failed' | 'registered_at', number> &
  Record<'last_seen_at' | 'idle_since' | 'all_teams', number>;

const trainerOf = (row: TrainerRow): StoredTrainer => ({
  trainerId: row.trainer_id,
  announcement: JSON.parse(row.announcement),
  isDraining: row.draining === 1,
  succeeded: row.succeeded,
  failed: row.failed,
  createdBy: row.created_by,
  team: row.team,
  servesAll: row.all_teams === 1,
  registeredAt: row.registered_at,
  lastSeenAt: row.last_seen_at,
  idleSince: row.idle_since,
});
