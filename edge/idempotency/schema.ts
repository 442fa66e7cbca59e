/** Each entry is applied once, in order, and never edited after it has been released. */
export const IDEMPOTENCY_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE requests (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL UNIQUE,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL,
    until INTEGER NOT NULL,
    answer TEXT
  );
  CREATE INDEX requests_by_end ON requests (until);
  `,
];
