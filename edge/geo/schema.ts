import { OUTBOX_TABLE } from '../events/outbox.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const GEO_MIGRATIONS: readonly string[] = [
  `CREATE TABLE regions (
     region_id TEXT PRIMARY KEY,
     region TEXT NOT NULL,
     health TEXT NOT NULL,
     drain_until INTEGER,
     revision INTEGER NOT NULL,
     updated_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE nodes (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     node_id TEXT NOT NULL UNIQUE,
     region_id TEXT NOT NULL,
     endpoint TEXT NOT NULL,
     node_type TEXT NOT NULL,
     registered_at INTEGER NOT NULL,
     last_seen INTEGER NOT NULL,
     has_heartbeats INTEGER NOT NULL,
     is_registered INTEGER NOT NULL
   );
   CREATE INDEX nodes_by_region ON nodes (region_id);
   CREATE TABLE role (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     active TEXT,
     epoch INTEGER NOT NULL,
     active_since INTEGER NOT NULL,
     last_automatic_at INTEGER,
     suspect_since INTEGER,
     given_up TEXT
   );
   CREATE TABLE failovers (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     entry TEXT NOT NULL
   );
   CREATE TABLE events (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     event TEXT NOT NULL
   );`,
  OUTBOX_TABLE,
  // Nothing says whose heartbeats came before: from here on those of keys with geo:node alone are missed.
  // Nodes that were found join again with their next one.
  `ALTER TABLE nodes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE nodes ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   ALTER TABLE nodes ADD COLUMN speaker TEXT;
   DELETE FROM nodes WHERE is_registered = 0;
   UPDATE nodes SET has_heartbeats = 0;`,
];
