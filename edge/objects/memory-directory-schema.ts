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
];
