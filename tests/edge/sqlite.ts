import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { MonitoringStore } from '../../edge/monitoring/store.ts';
import type { ObjectExport } from '../../edge/storage/export.ts';

type Sql = ConstructorParameters<typeof MonitoringStore>[0];
export type TestStorage = ConstructorParameters<typeof ObjectExport>[0];

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

/** The same with transactions and an alarm, as an object has it. Rows have bytes as the runtime gives them. */
export function openStorage(): TestStorage {
  const database = new DatabaseSync(':memory:');
  let alarm: number | null = null;
  let depth = 0;
  const exec = (query: string, ...values: (SQLInputValue | ArrayBuffer)[]) => {
    if (values.length === 0 && !/^\s*SELECT/.test(query)) {
      database.exec(query);
      return cursorOf([], []);
    }
    const statement = database.prepare(query);
    const bound = values.map((value) =>
      value instanceof ArrayBuffer ? new Uint8Array(value) : value,
    );
    const names = statement.columns().map(({ name }) => name);
    return cursorOf(
      names,
      statement.all(...bound).map((row) => Object.values(row).map(asInWorkerd)),
    );
  };
  const storage = {
    sql: { exec },
    transactionSync<T>(work: () => T): T {
      const name = `nested_${depth++}`;
      database.exec(`SAVEPOINT ${name}`);
      try {
        const result = work();
        database.exec(`RELEASE ${name}`);
        return result;
      } catch (error) {
        database.exec(`ROLLBACK TO ${name}; RELEASE ${name}`);
        throw error;
      } finally {
        depth -= 1;
      }
    },
    getAlarm: async () => alarm,
    setAlarm: async (time: number) => void (alarm = time),
    deleteAlarm: async () => void (alarm = null),
    sync: async () => {},
  };
  return storage as unknown as TestStorage;
}

const asInWorkerd = (value: unknown): unknown =>
  value instanceof Uint8Array ? Uint8Array.from(value).buffer : value;

function cursorOf(columnNames: readonly string[], rows: readonly (readonly unknown[])[]) {
  const objects = rows.map((row) =>
    Object.fromEntries(row.map((value, i) => [columnNames[i], value])),
  );
  return {
    columnNames,
    toArray: () => objects,
    one: () => objects[0],
    raw: () => rows.values(),
    [Symbol.iterator]: () => objects.values(),
  };
}
