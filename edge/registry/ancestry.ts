import { MAX_LINEAGE_NODES } from './contract/lineage.ts';
import type { Ancestry, LineageSource, VersionRef } from './lineage.ts';
import type { Parent } from './machine.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/** More than a lineage may show. */
const MOST_CHILDREN = MAX_LINEAGE_NODES + 1;

/** What versions were made from, deleted ones too: their tombstones keep their places. */
export class AncestryStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Remembers a version that is about to be deleted. */
  bury({ modelId, version }: VersionRef, now: string): void {
    this.#sql.exec(
      `INSERT INTO tombstones
       SELECT model_id, version, registration, parent_model_id, parent_version, ?, team
       FROM versions JOIN models USING (model_id)
       WHERE model_id = ? AND version = ?`,
      now,
      modelId,
      version,
    );
  }

  /** When a version was deleted, if it was. */
  deletedAt({ modelId, version }: VersionRef): string | undefined {
    const [row] = this.#sql
      .exec<Row<'deleted_at'>>(
        'SELECT deleted_at FROM tombstones WHERE model_id = ? AND version = ?',
        modelId,
        version,
      )
      .toArray();
    return row && String(row.deleted_at);
  }

  /** What a team may see of it, or all where none is named: others' versions are unknown to it. */
  seenBy(team: string | undefined): LineageSource {
    return {
      find: (version) => this.#find(version, team),
      children: (version) => this.#children(version, team),
    };
  }

  #find({ modelId, version }: VersionRef, team: string | undefined): Ancestry | undefined {
    const columns = 'registration, parent_model_id, parent_version';
    const [row] = this.#sql
      .exec<Row<'registration' | 'parent_model_id' | 'parent_version' | 'state'>>(
        `SELECT 'present' AS state, ${columns} FROM ${VERSIONS}
         WHERE model_id = ?1 AND version = ?2 AND ${OF_TEAM}
         UNION ALL
         SELECT 'deleted' AS state, ${columns} FROM tombstones
         WHERE model_id = ?1 AND version = ?2 AND ${OF_TEAM}`,
        modelId,
        version,
        team ?? null,
      )
      .toArray();
    if (!row) return undefined;
    return {
      state: row.state === 'present' ? 'present' : 'deleted',
      registration: JSON.parse(String(row.registration)),
      parent: parentIn(row),
    };
  }

  #children({ modelId, version }: VersionRef, team: string | undefined): readonly VersionRef[] {
    return this.#sql
      .exec<Row<'model_id' | 'version'>>(
        `SELECT model_id, version FROM ${VERSIONS}
         WHERE parent_model_id = ?1 AND parent_version = ?2 AND ${OF_TEAM}
         UNION
         SELECT model_id, version FROM tombstones
         WHERE parent_model_id = ?1 AND parent_version = ?2 AND ${OF_TEAM}
         ORDER BY model_id, version LIMIT ${MOST_CHILDREN}`,
        modelId,
        version,
        team ?? null,
      )
      .toArray()
      .map((row) => ({ modelId: String(row.model_id), version: String(row.version) }));
  }
}

const VERSIONS = 'versions JOIN models USING (model_id)';
const OF_TEAM = '(?3 IS NULL OR team = ?3)';

export function parentIn(row: Row<'parent_model_id' | 'parent_version'>): Parent | null {
  if (row.parent_model_id === null) return null;
  const version = row.parent_version === null ? null : String(row.parent_version);
  return { modelId: String(row.parent_model_id), version };
}
