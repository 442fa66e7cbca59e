/** Each entry is applied once, in order, and never edited after it has been released. */
export const REGISTRY_MIGRATIONS: readonly string[] = [
  `CREATE TABLE models (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     model_id TEXT NOT NULL UNIQUE,
     default_version TEXT NOT NULL
   );
   CREATE TABLE versions (
     model_id TEXT NOT NULL,
     version TEXT NOT NULL,
     precedence TEXT NOT NULL,
     name_folded TEXT NOT NULL,
     model_type TEXT NOT NULL,
     framework TEXT NOT NULL,
     registration TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     PRIMARY KEY (model_id, version)
   ) WITHOUT ROWID;
   CREATE INDEX versions_by_precedence ON versions (model_id, precedence DESC, version DESC);
   CREATE TABLE files (
     model_id TEXT NOT NULL,
     version TEXT NOT NULL,
     filename TEXT NOT NULL,
     size_bytes INTEGER NOT NULL,
     digest TEXT NOT NULL,
     content_type TEXT NOT NULL,
     object_key TEXT NOT NULL,
     created_at TEXT NOT NULL,
     PRIMARY KEY (model_id, version, filename)
   ) WITHOUT ROWID;
   CREATE TABLE uploads (
     object_key TEXT PRIMARY KEY,
     multipart_id TEXT,
     started_at INTEGER NOT NULL,
     abandoned INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;`,
];
