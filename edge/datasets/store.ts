import type { Ownership, Used } from '../http/ownership.ts';
import { TableStore } from '../storage/table-store.ts';
import { UPLOAD_SESSION_OWNERS, UPLOAD_SESSION_TABLES } from '../uploads/session-store.ts';
import type { DatasetRecord } from './contract/dataset.ts';
import { PART_COLUMNS, type PartRow, type StoredPart } from './part-store.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const DATASETS_MIGRATIONS: readonly string[] = [
  `CREATE TABLE parts (
     digest TEXT PRIMARY KEY,
     size_bytes INTEGER NOT NULL,
     object_key TEXT NOT NULL,
     touched_at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX parts_by_touch ON parts (touched_at);
   CREATE TABLE uploads (
     object_key TEXT PRIMARY KEY,
     multipart_id TEXT,
     started_at INTEGER NOT NULL,
     abandoned INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE datasets (
     name TEXT PRIMARY KEY,
     digest TEXT NOT NULL,
     size_bytes INTEGER NOT NULL,
     content_type TEXT NOT NULL,
     created_by TEXT NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE dataset_parts (
     name TEXT NOT NULL,
     position INTEGER NOT NULL,
     digest TEXT NOT NULL,
     PRIMARY KEY (name, position)
   ) WITHOUT ROWID;
   CREATE INDEX dataset_parts_by_digest ON dataset_parts (digest);`,
  UPLOAD_SESSION_TABLES,
  `ALTER TABLE datasets ADD COLUMN team TEXT NOT NULL DEFAULT 'default';
   CREATE INDEX datasets_by_team ON datasets (team, created_by);
   CREATE TABLE part_holders (
     digest TEXT NOT NULL,
     team TEXT NOT NULL,
     owner TEXT NOT NULL,
     size_bytes INTEGER NOT NULL,
     PRIMARY KEY (digest, team)
   ) WITHOUT ROWID;
   INSERT INTO part_holders SELECT digest, 'default', 'system', size_bytes FROM parts;
   UPDATE part_holders SET owner = coalesce((SELECT datasets.created_by FROM dataset_parts
     JOIN datasets USING (name) WHERE dataset_parts.digest = part_holders.digest LIMIT 1), owner);
   CREATE TABLE held_bytes (
     team TEXT NOT NULL,
     owner TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     PRIMARY KEY (team, owner)
   ) WITHOUT ROWID;
   INSERT INTO held_bytes SELECT team, owner, sum(size_bytes) FROM part_holders GROUP BY team, owner;
   ${UPLOAD_SESSION_OWNERS}`,
];

type DatasetRow = { [K in Exclude<keyof DatasetRecord, 'owner'>]: DatasetRecord[K] };

/** The datasets, and the parts that each consists of. */
export class DatasetStore extends TableStore {
  add(record: DatasetRecord, digests: readonly string[]): void {
    const { owner: _, ...row } = record;
    this.insert('datasets', row);
    this.run`INSERT INTO dataset_parts SELECT ${record.name}, key, value
      FROM json_each(${JSON.stringify(digests)})`;
  }

  get(name: string): DatasetRecord | undefined {
    const row = this.row<DatasetRow>`SELECT * FROM datasets WHERE name = ${name}`;
    return row && recordOf(row);
  }

  /** The datasets of a team, or of all where it is undefined. */
  all(team: string | undefined): readonly DatasetRecord[] {
    const query = 'SELECT * FROM datasets WHERE ?1 IS NULL OR team = ?1 ORDER BY name';
    return this.rows<DatasetRow>(query, team ?? null).map(recordOf);
  }

  /** How many datasets an owner has, and the team. */
  countOf({ owner, team }: Ownership): Used {
    return this.usage`
      SELECT count(*) FILTER (WHERE created_by = ${owner}) AS own, count(*) AS "all" FROM datasets
      WHERE team = ${team}`;
  }

  /** The parts of a dataset, in order. */
  parts(name: string): readonly StoredPart[] {
    return this.rows<PartRow>(
      `SELECT ${PART_COLUMNS} FROM dataset_parts JOIN parts USING (digest)
       WHERE name = ? ORDER BY position`,
      name,
    );
  }

  remove(name: string): void {
    for (const table of ['dataset_parts', 'datasets']) {
      this.run(`DELETE FROM ${table} WHERE name = ?`, name);
    }
  }

  /** Those of the digests that datasets consist of. */
  named(digests: readonly string[]): readonly string[] {
    const rows = this.rows<{ digest: string }>`SELECT DISTINCT digest FROM dataset_parts
      WHERE digest IN (SELECT value FROM json_each(${JSON.stringify(digests)}))`;
    return rows.map(({ digest }) => digest);
  }
}

const recordOf = (row: DatasetRow): DatasetRecord => ({ ...row, owner: row.created_by });
