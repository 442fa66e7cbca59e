/** Each entry is applied once, in order, and never edited after it has been released. */
export const REGION_STORE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE fence (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     region_id TEXT NOT NULL,
     epoch INTEGER NOT NULL
   );
   CREATE TABLE versions (
     model_id TEXT NOT NULL,
     version TEXT NOT NULL,
     files TEXT NOT NULL,
     PRIMARY KEY (model_id, version)
   ) WITHOUT ROWID;
   CREATE TABLE copies (
     digest TEXT PRIMARY KEY,
     size_bytes INTEGER NOT NULL,
     object_key TEXT NOT NULL,
     status TEXT NOT NULL,
     epoch INTEGER NOT NULL,
     multipart_id TEXT,
     offset_bytes INTEGER NOT NULL DEFAULT 0,
     hash_state TEXT NOT NULL DEFAULT '',
     error TEXT,
     retry_at INTEGER NOT NULL DEFAULT 0,
     updated_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE parts (
     digest TEXT NOT NULL,
     number INTEGER NOT NULL,
     etag TEXT NOT NULL,
     PRIMARY KEY (digest, number)
   ) WITHOUT ROWID;`,
];
