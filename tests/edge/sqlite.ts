import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { MonitoringStore } from '../../edge/objects/monitoring-store.ts';

type Sql = ConstructorParameters<typeof MonitoringStore>[0];

/** A real SQLite in memory behind the face of an object's storage, for tests that set the clock. */
export function openSql(migrations: readonly string[]): Sql {
  const database = new DatabaseSync(':memory:');
  for (const migration of migrations) database.exec(migration);
  const sql = {
    exec: (query: string, ...values: SQLInputValue[]) => {
      const rows = database.prepare(query).all(...values);
      return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows.values() };
    },
  };
  // Our stores use nothing else of it.
  return sql as unknown as Sql;
}
