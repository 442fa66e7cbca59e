import { OUTBOX_TABLE } from '../events/outbox.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const DISCOVERY_MIGRATIONS: readonly string[] = [
  `CREATE TABLE mqtt_sessions (
     client_id TEXT PRIMARY KEY,
     session TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE mqtt_subscriptions (
     client_id TEXT NOT NULL,
     filter TEXT NOT NULL,
     subscription TEXT NOT NULL,
     PRIMARY KEY (client_id, filter)
   ) WITHOUT ROWID;
   CREATE TABLE mqtt_deliveries (
     client_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     phase TEXT NOT NULL,
     packet_id INTEGER NOT NULL,
     message TEXT NOT NULL,
     payload BLOB NOT NULL,
     PRIMARY KEY (client_id, seq)
   );
   CREATE TABLE mqtt_received (
     client_id TEXT NOT NULL,
     packet_id INTEGER NOT NULL,
     PRIMARY KEY (client_id, packet_id)
   ) WITHOUT ROWID;
   CREATE TABLE mqtt_retained (
     topic TEXT PRIMARY KEY,
     message TEXT NOT NULL,
     payload BLOB NOT NULL
   );
   CREATE TABLE nodes (
     node_id TEXT PRIMARY KEY,
     node TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE shard (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     namespace TEXT NOT NULL,
     region TEXT NOT NULL
   );
   CREATE TABLE regions (region TEXT PRIMARY KEY) WITHOUT ROWID;`,
  `CREATE TABLE routes (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     route TEXT NOT NULL
   );`,
  OUTBOX_TABLE,
  // Who published what is retained, and who spoke for a node last: unknown for what is from before.
  `ALTER TABLE mqtt_retained ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE nodes ADD COLUMN owner TEXT NOT NULL DEFAULT '';
   ALTER TABLE nodes ADD COLUMN is_evidence INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE shard ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   CREATE TABLE brokers (
     namespace TEXT NOT NULL,
     region TEXT NOT NULL,
     owner TEXT NOT NULL,
     used_at INTEGER NOT NULL,
     PRIMARY KEY (namespace, region)
   ) WITHOUT ROWID;
   CREATE INDEX brokers_by_owner ON brokers (owner);`,
];
