import type { HealthState } from './health-machine.ts';
import type { Registered } from './machine.ts';
import { TableStore } from '../storage/table-store.ts';

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
  // Objects whose names nothing else knows, listed for backups.
  `CREATE TABLE objects (
     class TEXT NOT NULL,
     name TEXT NOT NULL,
     PRIMARY KEY (class, name)
   ) WITHOUT ROWID;`,
];

type Row<K extends string> = Record<K, SqlStorageValue>;
type ServiceRow = Row<
  'name' | 'definition' | 'revision' | 'registered_at' | 'updated_at' | 'renewed_at'
>;
type HealthRow = Row<'service' | 'url' | 'status' | 'against' | 'last_error' | 'changed_at'>;

/** Identifies an instance's health: a new address is a new instance, whatever its id. */
export interface HealthKey {
  readonly service: string;
  readonly url: string;
}

export interface StoredHealth extends HealthKey {
  readonly state: HealthState;
  readonly changedAt: number;
}

/** The SQL of the gateway's tables. */
export class GatewayStore extends TableStore {
  services(): readonly Registered[] {
    return this.rows<ServiceRow>('SELECT * FROM services ORDER BY name').map(registeredOf);
  }

  service(name: string): Registered | undefined {
    const row = this.row<ServiceRow>`SELECT * FROM services WHERE name = ${name}`;
    return row && registeredOf(row);
  }

  count(): number {
    return this.value<number>('SELECT count(*) AS total FROM services');
  }

  put({ definition, revision, registeredAt, updatedAt, renewedAt }: Registered): void {
    this.run`INSERT OR REPLACE INTO services
      VALUES (${definition.name}, ${JSON.stringify(definition)}, ${revision}, ${registeredAt},
        ${updatedAt}, ${renewedAt})`;
  }

  remove(name: string): void {
    this.run`DELETE FROM services WHERE name = ${name}`;
    this.run`DELETE FROM health WHERE service = ${name}`;
  }

  noteObject(kind: string, name: string): void {
    this.run`INSERT OR IGNORE INTO objects (class, name) VALUES (${kind}, ${name})`;
  }

  hasObject(kind: string, name: string): boolean {
    const which = 'SELECT 1 FROM objects WHERE class = ? AND name = ?';
    return this.rows(which, kind, name).length > 0;
  }

  objects(kind: string, after: string, limit: number): readonly string[] {
    const rows = this.rows<{ name: string }>`
      SELECT name FROM objects WHERE class = ${kind} AND name > ${after}
      ORDER BY name LIMIT ${limit}`;
    return rows.map(({ name }) => name);
  }

  health(): readonly StoredHealth[] {
    return this.rows<HealthRow>('SELECT * FROM health').map(healthOf);
  }

  putHealth({ service, url, state, changedAt }: StoredHealth): void {
    this.run`INSERT OR REPLACE INTO health
      VALUES (${service}, ${url}, ${state.status}, ${state.against}, ${state.lastError},
        ${changedAt})`;
  }

  dropHealth({ service, url }: HealthKey): void {
    this.run`DELETE FROM health WHERE service = ${service} AND url = ${url}`;
  }
}

function registeredOf(row: ServiceRow): Registered {
  return {
    definition: JSON.parse(String(row.definition)),
    revision: String(row.revision),
    registeredAt: Number(row.registered_at),
    updatedAt: Number(row.updated_at),
    renewedAt: Number(row.renewed_at),
  };
}

function healthOf(row: HealthRow): StoredHealth {
  return {
    service: String(row.service),
    url: String(row.url),
    state: {
      // Only statuses are written to this column.
      status: String(row.status) as HealthState['status'],
      against: Number(row.against),
      lastError: row.last_error === null ? null : String(row.last_error),
    },
    changedAt: Number(row.changed_at),
  };
}
