/**
 * Brings an object's tables to the newest form. It runs before the object answers anything; each
 * migration is applied once, in order, and is never edited after it has been released.
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  storage.transactionSync(() => {
    storage.sql.exec('CREATE TABLE IF NOT EXISTS migrations (applied INTEGER NOT NULL)');
    const { applied } = storage.sql
      .exec<{ applied: number }>('SELECT count(*) AS applied FROM migrations')
      .one();
    for (const migration of migrations.slice(applied)) {
      storage.sql.exec(migration);
      storage.sql.exec('INSERT INTO migrations (applied) VALUES (1)');
    }
  });
}
