/** Each entry is applied once, in order, and never edited after it has been released. */
export const ACCESS_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE keys (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    key_id TEXT NOT NULL UNIQUE,
    secret_hash TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  );
  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    secret_hash TEXT NOT NULL,
    key_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_key ON sessions (key_id);
  CREATE INDEX sessions_by_expiry ON sessions (expires_at);
  CREATE TABLE tickets (
    ticket_hash TEXT PRIMARY KEY,
    caller TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX tickets_by_expiry ON tickets (expires_at);
  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL,
    time INTEGER NOT NULL,
    action TEXT NOT NULL,
    actor_id TEXT,
    target TEXT NOT NULL,
    event TEXT NOT NULL
  );
  CREATE INDEX audit_by_time ON audit (time);
  CREATE TRIGGER audit_is_append_only BEFORE UPDATE ON audit
  BEGIN
    SELECT RAISE(ABORT, 'the audit log is never changed');
  END;
  `,
  'CREATE INDEX audit_by_action ON audit (action)',
  // Callers in tickets have more members since; tickets hold for 30 s anyway.
  'DELETE FROM tickets',
  `
  CREATE TABLE signing_keys (
    key_id TEXT PRIMARY KEY,
    private_jwk TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  // Keys from before there were teams are of one; callers in tickets have a team since.
  `
  ALTER TABLE keys ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
  DELETE FROM tickets;
  `,
  // Keys of nodes go on being evidence of how regions are: of nodes without MQTT, which needed geo:admin,
  // and those with the scopes that "spikegrid node" asked for. Who announced what over MQTT is not known.
  `
  UPDATE keys SET scopes = json_insert(scopes, '$[#]', 'geo:node')
    WHERE scopes NOT LIKE '%"geo:node"%' AND (
      scopes LIKE '%"geo:admin"%' OR scopes LIKE '%"discovery:write"%' OR (
        scopes LIKE '%"infer"%' AND scopes LIKE '%"discovery:read"%'
        AND scopes LIKE '%"registry:read"%' AND scopes LIKE '%"logs:write"%'));
  `,
];
