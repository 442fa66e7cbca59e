import { OUTBOX_TABLE } from '../events/outbox.ts';
import { UPLOAD_SESSION_OWNERS, UPLOAD_SESSION_TABLES } from '../uploads/session-store.ts';

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
  `ALTER TABLE versions ADD COLUMN description TEXT NOT NULL DEFAULT '';
   ALTER TABLE versions ADD COLUMN tags TEXT NOT NULL DEFAULT '{}';
   ALTER TABLE versions ADD COLUMN parent_model_id TEXT;
   ALTER TABLE versions ADD COLUMN parent_version TEXT;
   UPDATE versions SET
     description = coalesce(json_extract(registration, '$.description'), ''),
     tags = coalesce(json_extract(registration, '$.tags'), '{}'),
     parent_model_id = json_extract(registration, '$.model_spec.parent_model_id');
   CREATE INDEX versions_by_parent ON versions (parent_model_id, parent_version);
   CREATE TABLE aliases (
     model_id TEXT NOT NULL,
     alias TEXT NOT NULL,
     version TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     PRIMARY KEY (model_id, alias)
   ) WITHOUT ROWID;
   CREATE INDEX aliases_by_version ON aliases (model_id, version);
   CREATE TABLE tombstones (
     model_id TEXT NOT NULL,
     version TEXT NOT NULL,
     registration TEXT NOT NULL,
     parent_model_id TEXT,
     parent_version TEXT,
     deleted_at TEXT NOT NULL,
     PRIMARY KEY (model_id, version)
   ) WITHOUT ROWID;
   CREATE INDEX tombstones_by_parent ON tombstones (parent_model_id, parent_version);
   ${UPLOAD_SESSION_TABLES}`,
  OUTBOX_TABLE,
  `ALTER TABLE models ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   ALTER TABLE models ADD COLUMN owner TEXT NOT NULL DEFAULT 'system';
   CREATE INDEX models_by_team ON models (team, seq);
   CREATE INDEX models_by_owner ON models (team, owner);
   ALTER TABLE versions ADD COLUMN owner TEXT NOT NULL DEFAULT 'system';
   ALTER TABLE versions ADD COLUMN created_by TEXT NOT NULL DEFAULT 'system';
   CREATE INDEX versions_by_owner ON versions (owner);
   ALTER TABLE tombstones ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   ${UPLOAD_SESSION_OWNERS}`,
];
