/** Each entry is applied once, in order, and never edited after it has been released. */
export const SENSORS_MIGRATIONS: readonly string[] = [
  `
  -- first_seq and last_seq bound the readings that are kept; all between them are.
  CREATE TABLE sensors (
    no INTEGER PRIMARY KEY AUTOINCREMENT,
    sensor_id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    type TEXT NOT NULL,
    node_id TEXT,
    registration TEXT NOT NULL,
    encoding TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    first_seq INTEGER NOT NULL DEFAULT 1,
    last_seq INTEGER NOT NULL DEFAULT 0,
    level TEXT,
    open_window TEXT,
    window_due INTEGER,
    oldest_at INTEGER,
    retention_ms INTEGER NOT NULL
  );
  CREATE INDEX sensors_due ON sensors (window_due);

  CREATE TABLE readings (
    sensor INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    value REAL NOT NULL,
    spikes_on INTEGER NOT NULL,
    spikes_off INTEGER NOT NULL,
    PRIMARY KEY (sensor, seq)
  ) WITHOUT ROWID;
  CREATE INDEX readings_at ON readings (sensor, at);

  -- Windows that have ended and are not remembered yet.
  CREATE TABLE summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    namespace TEXT NOT NULL,
    memory TEXT NOT NULL
  );
  `,
  `
  ALTER TABLE sensors ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
  ALTER TABLE summaries ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
  `,
];
