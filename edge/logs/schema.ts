/** Each entry is applied once, in order, and never edited after it has been released. */
export const LOG_HUB_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE lines (
    seq INTEGER PRIMARY KEY,
    received_at INTEGER NOT NULL,
    at INTEGER NOT NULL,
    level INTEGER NOT NULL,
    source TEXT NOT NULL,
    module_type TEXT,
    trace_id TEXT,
    body TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE line_text USING fts5(text, tokenize = 'trigram', columnsize = 0);
  CREATE TABLE holes (
    from_seq INTEGER PRIMARY KEY,
    to_seq INTEGER NOT NULL,
    dropped INTEGER
  );
  `,
  `
  ALTER TABLE lines ADD COLUMN event_type TEXT;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    event TEXT NOT NULL
  );
  CREATE INDEX events_by_type ON events (type);
  CREATE INDEX events_by_time ON events (type, received_at);
  CREATE TABLE event_ends (
    type TEXT PRIMARY KEY,
    gone_to INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  // The team; null for entries that concern all teams. Older entries belong to the default one.
  `
  ALTER TABLE lines ADD COLUMN team TEXT DEFAULT 'default';
  ALTER TABLE events ADD COLUMN team TEXT DEFAULT 'default';
  UPDATE lines SET team = NULL
    WHERE event_type IN ('alert.firing', 'alert.resolved', 'region.status', 'failover.executed');
  UPDATE events SET team = NULL
    WHERE type IN ('alert.firing', 'alert.resolved', 'region.status', 'failover.executed');
  CREATE INDEX lines_by_team ON lines (team, seq);
  `,
];
