import type { DatasetRecord } from './contract/dataset.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import { type PartRow, partOf, type StoredPart } from './parts-store.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;
type DatasetRow = Row<Exclude<keyof DatasetRecord, 'owner'>>;

/** The datasets, and the parts each is made of. Every method is one synchronous step. */
export class DatasetStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(record: DatasetRecord, digests: readonly string[]): void {
    this.#sql.exec(
      'INSERT INTO datasets VALUES (?, ?, ?, ?, ?, ?, ?)',
      record.name,
      record.digest,
      record.size_bytes,
      record.content_type,
      record.created_by,
      record.created_at,
      record.team,
    );
    this.#sql.exec(
      'INSERT INTO dataset_parts SELECT ?, key, value FROM json_each(?)',
      record.name,
      JSON.stringify(digests),
    );
  }

  get(name: string): DatasetRecord | undefined {
    return this.#sql
      .exec<DatasetRow>('SELECT * FROM datasets WHERE name = ?', name)
      .toArray()
      .map(recordOf)[0];
  }

  /** Those of a team, or all where none is named. */
  all(team: string | undefined): readonly DatasetRecord[] {
    return this.#sql
      .exec<DatasetRow>(
        `SELECT * FROM datasets ${team === undefined ? '' : 'WHERE team = ?'} ORDER BY name`,
        ...(team === undefined ? [] : [team]),
      )
      .toArray()
      .map(recordOf);
  }

  /** How many an owner has, and his team. */
  used({ owner, team }: Ownership): Used {
    const { own, all } = this.#sql
      .exec<Row<'own' | 'all'>>(
        `SELECT count(*) FILTER (WHERE created_by = ?) AS own, count(*) AS "all" FROM datasets
         WHERE team = ?`,
        owner,
        team,
      )
      .one();
    return { owner: Number(own), team: Number(all) };
  }

  /** What a dataset is made of, in order. */
  parts(name: string): readonly StoredPart[] {
    return this.#sql
      .exec<PartRow>(
        `SELECT parts.* FROM dataset_parts JOIN parts USING (digest)
         WHERE name = ? ORDER BY position`,
        name,
      )
      .toArray()
      .map(partOf);
  }

  remove(name: string): void {
    for (const table of ['dataset_parts', 'datasets']) {
      this.#sql.exec(`DELETE FROM ${table} WHERE name = ?`, name);
    }
  }

  /** Those of the digests that datasets are made of. */
  named(digests: readonly string[]): readonly string[] {
    return this.#sql
      .exec<Row<'digest'>>(
        `SELECT DISTINCT digest FROM dataset_parts
         WHERE digest IN (SELECT value FROM json_each(?))`,
        JSON.stringify(digests),
      )
      .toArray()
      .map((row) => String(row.digest));
  }
}

const recordOf = (row: DatasetRow): DatasetRecord => ({
  name: String(row.name),
  // Only digests are written to this column.
  digest: String(row.digest) as DatasetRecord['digest'],
  size_bytes: Number(row.size_bytes),
  content_type: String(row.content_type),
  created_by: String(row.created_by),
  owner: String(row.created_by),
  team: String(row.team),
  created_at: String(row.created_at),
});
