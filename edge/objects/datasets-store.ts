import type { DatasetRecord } from '../contract/training/dataset.ts';
import { type PartRow, partOf, type StoredPart } from './parts-store.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;
type DatasetRow = Row<keyof DatasetRecord>;

/** The datasets, and the parts each is made of. Every method is one synchronous step. */
export class DatasetStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(record: DatasetRecord, digests: readonly string[]): void {
    this.#sql.exec(
      'INSERT INTO datasets VALUES (?, ?, ?, ?, ?, ?)',
      record.name,
      record.digest,
      record.size_bytes,
      record.content_type,
      record.created_by,
      record.created_at,
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

  all(): readonly DatasetRecord[] {
    return this.#sql
      .exec<DatasetRow>('SELECT * FROM datasets ORDER BY name')
      .toArray()
      .map(recordOf);
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
  created_at: String(row.created_at),
});
