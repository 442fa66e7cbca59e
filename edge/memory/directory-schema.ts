/** Each entry is applied once, in order, and never edited after it has been released. */
export const MEMORY_DIRECTORY_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE namespaces (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    namespace TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (owner, namespace)
  );
  `,
  // In the object of a team: how much of a kind its owners hold, and where.
  `
  CREATE TABLE holdings (
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    place TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, owner, place)
  ) WITHOUT ROWID;
  CREATE TABLE totals (
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, owner)
  ) WITHOUT ROWID;
  `,
];
