import { NEWER_SCHEMA } from '../contract/refusal.ts';

/**
 * Brings an object's tables to the newest form. It runs before the object answers anything; each
 * migration is applied once, in order, and is never edited after it has been released.
 *
 * @throws Error where the tables have a form that only a newer version knows: nothing is changed
 */
export function migrate(storage: DurableObjectStorage, migrations: readonly string[]): void {
  storage.transactionSync(() => {
    storage.sql.exec('CREATE TABLE IF NOT EXISTS migrations (applied INTEGER NOT NULL)');
    const applied = schemaOf(storage.sql);
    if (applied > migrations.length) {
      throw new Error(
        `${NEWER_SCHEMA}: its schema is ${applied}, expected at most ${migrations.length}; ` +
          'run the version that wrote it, or a later one',
      );
    }
    for (const migration of migrations.slice(applied)) {
      storage.sql.exec(migration);
      storage.sql.exec('INSERT INTO migrations (applied) VALUES (1)');
    }
  });
}

/** The number of migrations applied to an object's tables: the version of their schema. */
export const schemaOf = (sql: SqlStorage): number =>
  sql.exec<{ applied: number }>('SELECT count(*) AS applied FROM migrations').one().applied;
