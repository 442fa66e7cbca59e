/** Each entry is applied once, in order, and never edited after it has been released. */
export const GATEWAY_MIGRATIONS: readonly string[] = [
  `CREATE TABLE services (
     name TEXT PRIMARY KEY,
     definition TEXT NOT NULL,
     revision TEXT NOT NULL,
     registered_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     renewed_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE health (
     service TEXT NOT NULL,
     url TEXT NOT NULL,
     status TEXT NOT NULL,
     against INTEGER NOT NULL,
     last_error TEXT,
     changed_at INTEGER NOT NULL,
     PRIMARY KEY (service, url)
   ) WITHOUT ROWID;`,
  `CREATE TABLE connected (
     service TEXT NOT NULL,
     instance TEXT NOT NULL,
     version TEXT,
     tags TEXT NOT NULL,
     connected_at INTEGER NOT NULL,
     renewed_at INTEGER NOT NULL,
     PRIMARY KEY (service, instance)
   ) WITHOUT ROWID;`,
  // Objects whose names nothing else knows: which there are is asked by a backup.
  `CREATE TABLE objects (
     class TEXT NOT NULL,
     name TEXT NOT NULL,
     PRIMARY KEY (class, name)
   ) WITHOUT ROWID;`,
];
