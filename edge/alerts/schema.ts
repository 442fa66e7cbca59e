import { OUTBOX_TABLE } from '../events/outbox.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const ALERTS_MIGRATIONS: readonly string[] = [
  `CREATE TABLE rules (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     rule TEXT NOT NULL,
     last_error TEXT
   ) WITHOUT ROWID;
   CREATE TABLE alerts (
     rule_id TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     phase TEXT NOT NULL,
     ends_at INTEGER,
     alert TEXT NOT NULL,
     PRIMARY KEY (rule_id, fingerprint)
   ) WITHOUT ROWID;
   CREATE TABLE transitions (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     rule_id TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     entered TEXT NOT NULL,
     transition TEXT NOT NULL
   );
   CREATE INDEX transitions_by_time ON transitions (at);
   CREATE TABLE silences (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     starts_at INTEGER NOT NULL,
     ends_at INTEGER NOT NULL,
     silence TEXT NOT NULL
   );
   CREATE TABLE receivers (
     id TEXT PRIMARY KEY,
     receiver TEXT NOT NULL,
     secret TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE notify_groups (
     receiver_id TEXT NOT NULL,
     labels TEXT NOT NULL,
     notify_group TEXT NOT NULL,
     PRIMARY KEY (receiver_id, labels)
   ) WITHOUT ROWID;
   CREATE TABLE deliveries (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     receiver_id TEXT NOT NULL,
     labels TEXT NOT NULL,
     kind TEXT NOT NULL,
     alerts INTEGER NOT NULL,
     body TEXT NOT NULL,
     status TEXT NOT NULL,
     attempts INTEGER NOT NULL DEFAULT 0,
     created_at INTEGER NOT NULL,
     last_attempt_at INTEGER,
     next_attempt_at INTEGER,
     http_status INTEGER,
     error TEXT
   );
   CREATE INDEX deliveries_by_receiver ON deliveries (receiver_id, seq);
   CREATE INDEX deliveries_waiting ON deliveries (next_attempt_at) WHERE status = 'waiting';
   CREATE TABLE evaluations (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     at INTEGER,
     has_default_rules INTEGER NOT NULL DEFAULT 0
   );
   INSERT INTO evaluations (id) VALUES (1);`,
  OUTBOX_TABLE,
];
