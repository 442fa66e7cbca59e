import { UPLOAD_SESSION_TABLES } from './upload-session-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const DATASETS_MIGRATIONS: readonly string[] = [
  `CREATE TABLE parts (
     digest TEXT PRIMARY KEY,
     size_bytes INTEGER NOT NULL,
     object_key TEXT NOT NULL,
     touched_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX parts_by_touch ON parts (touched_at);
   CREATE TABLE uploads (
     object_key TEXT PRIMARY KEY,
     multipart_id TEXT,
     started_at INTEGER NOT NULL,
     abandoned INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE datasets (
     name TEXT PRIMARY KEY,
     digest TEXT NOT NULL,
     size_bytes INTEGER NOT NULL,
     content_type TEXT NOT NULL,
     created_by TEXT NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE dataset_parts (
     name TEXT NOT NULL,
     position INTEGER NOT NULL,
     digest TEXT NOT NULL,
     PRIMARY KEY (name, position)
   ) WITHOUT ROWID;
   CREATE INDEX dataset_parts_by_digest ON dataset_parts (digest);`,
  UPLOAD_SESSION_TABLES,
];
