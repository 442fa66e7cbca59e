import { OUTBOX_TABLE } from '../events/outbox.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const TRAINING_MIGRATIONS: readonly string[] = [
  `CREATE TABLE jobs (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     job_id TEXT NOT NULL UNIQUE,
     kind TEXT NOT NULL,
     category TEXT,
     model_type TEXT,
     model_name TEXT NOT NULL,
     dataset_path TEXT NOT NULL,
     created_by TEXT NOT NULL,
     created_at TEXT NOT NULL,
     priority INTEGER NOT NULL,
     job TEXT NOT NULL,
     status TEXT NOT NULL,
     waiting INTEGER NOT NULL,
     due_at INTEGER,
     finished_at INTEGER,
     state TEXT NOT NULL
   );
   CREATE INDEX jobs_by_status ON jobs (status);
   CREATE INDEX jobs_waiting ON jobs (waiting) WHERE waiting > 0;
   CREATE INDEX jobs_by_due ON jobs (due_at) WHERE due_at IS NOT NULL;
   CREATE TABLE attempts (
     job_id TEXT NOT NULL,
     token INTEGER NOT NULL,
     seat INTEGER NOT NULL,
     trainer_id TEXT NOT NULL,
     trainer_name TEXT NOT NULL,
     lease_id TEXT NOT NULL,
     from_step INTEGER NOT NULL,
     last_step INTEGER NOT NULL,
     started_at INTEGER NOT NULL,
     heartbeat_at INTEGER NOT NULL,
     ended_at INTEGER,
     outcome TEXT,
     PRIMARY KEY (job_id, token)
   ) WITHOUT ROWID;
   CREATE INDEX attempts_by_trainer ON attempts (trainer_id, job_id);
   CREATE INDEX attempts_live ON attempts (trainer_id) WHERE outcome IS NULL;
   CREATE TABLE events (
     job_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     event TEXT NOT NULL,
     PRIMARY KEY (job_id, seq)
   ) WITHOUT ROWID;
   CREATE TABLE series (
     job_id TEXT NOT NULL,
     seat INTEGER NOT NULL,
     chunk INTEGER NOT NULL,
     points TEXT NOT NULL,
     PRIMARY KEY (job_id, seat, chunk)
   ) WITHOUT ROWID;
   CREATE TABLE series_heads (
     job_id TEXT NOT NULL,
     seat INTEGER NOT NULL,
     head TEXT NOT NULL,
     PRIMARY KEY (job_id, seat)
   ) WITHOUT ROWID;
   CREATE TABLE checkpoints (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     checkpoint_id TEXT NOT NULL UNIQUE,
     job_id TEXT NOT NULL,
     round INTEGER NOT NULL,
     step INTEGER NOT NULL,
     record TEXT NOT NULL
   );
   CREATE INDEX checkpoints_by_job ON checkpoints (job_id, round, step, seq);
   CREATE TABLE rounds (
     job_id TEXT NOT NULL,
     round INTEGER NOT NULL,
     closed TEXT NOT NULL,
     PRIMARY KEY (job_id, round)
   ) WITHOUT ROWID;
   CREATE TABLE owners (
     owner TEXT PRIMARY KEY,
     served_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE trainers (
     trainer_id TEXT PRIMARY KEY,
     announcement TEXT NOT NULL,
     draining INTEGER NOT NULL DEFAULT 0,
     succeeded INTEGER NOT NULL DEFAULT 0,
     failed INTEGER NOT NULL DEFAULT 0,
     created_by TEXT NOT NULL,
     registered_at INTEGER NOT NULL,
     last_seen_at INTEGER NOT NULL,
     idle_since INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  OUTBOX_TABLE,
  `ALTER TABLE jobs ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   CREATE INDEX jobs_by_team ON jobs (team, seq);
   CREATE INDEX jobs_under_way ON jobs (team, created_by) WHERE finished_at IS NULL;
   ALTER TABLE trainers ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   ALTER TABLE trainers ADD COLUMN all_teams INTEGER NOT NULL DEFAULT 0;`,
];
