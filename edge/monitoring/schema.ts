/** Each entry is applied once, in order, and never edited after it has been released. */
export const MONITORING_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE families (
    id INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    unit TEXT,
    help TEXT,
    UNIQUE (service, name)
  );
  CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    family INTEGER NOT NULL,
    labels TEXT NOT NULL
  );
  CREATE TABLE blocks (
    tier INTEGER NOT NULL,
    family INTEGER NOT NULL,
    start INTEGER NOT NULL,
    part INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (tier, family, start, part)
  ) WITHOUT ROWID;
  CREATE TABLE dirty (
    tier INTEGER NOT NULL,
    family INTEGER NOT NULL,
    start INTEGER NOT NULL,
    PRIMARY KEY (tier, family, start)
  ) WITHOUT ROWID;
  `,
  'CREATE TABLE journal (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)',
];
