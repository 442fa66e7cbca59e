import { TableStore } from '../storage/table-store.ts';
import { MAX_LINEAGE_NODES } from './contract/lineage.ts';
import type { Ancestry, LineageSource, VersionRef } from './lineage.ts';
import type { Parent } from './machine.ts';

/** More than a lineage may show. */
const MAX_CHILDREN = MAX_LINEAGE_NODES + 1;

const VERSIONS = 'versions JOIN models USING (model_id)';
const OF_TEAM = '(?3 IS NULL OR team = ?3)';

/** The parents of versions, and of deleted ones by their tombstones. */
export class LineageStore extends TableStore {
  /** Leaves the tombstone of a version that is about to be deleted. */
  bury({ modelId, version }: VersionRef, now: string): void {
    this.run(
      `INSERT INTO tombstones
       SELECT model_id, version, registration, parent_model_id, parent_version, ?, team
       FROM ${VERSIONS} WHERE model_id = ? AND version = ?`,
      now,
      modelId,
      version,
    );
  }

  /** When a version was deleted, if it was. */
  deletedAt({ modelId, version }: VersionRef): string | undefined {
    const query = 'SELECT deleted_at FROM tombstones WHERE model_id = ? AND version = ?';
    return this.row<{ deleted_at: string }>(query, modelId, version)?.deleted_at;
  }

  /** The lineage as a team may see it, or all where it is undefined: versions of others are unknown. */
  seenBy(team: string | undefined): LineageSource {
    return {
      find: (version) => this.#find(version, team),
      children: (version) => this.#children(version, team),
    };
  }

  #find({ modelId, version }: VersionRef, team: string | undefined): Ancestry | undefined {
    const columns = 'registration, parent_model_id, parent_version';
    const row = this.row<AncestryRow>(
      `SELECT 'present' AS state, ${columns} FROM ${VERSIONS}
       WHERE model_id = ?1 AND version = ?2 AND ${OF_TEAM}
       UNION ALL
       SELECT 'deleted' AS state, ${columns} FROM tombstones
       WHERE model_id = ?1 AND version = ?2 AND ${OF_TEAM}`,
      modelId,
      version,
      team ?? null,
    );
    if (!row) return undefined;
    return {
      state: row.state,
      registration: JSON.parse(row.registration),
      parent: parentIn(row),
    };
  }

  #children({ modelId, version }: VersionRef, team: string | undefined): readonly VersionRef[] {
    return this.rows<{ modelId: string; version: string }>(
      `SELECT model_id AS modelId, version FROM ${VERSIONS}
       WHERE parent_model_id = ?1 AND parent_version = ?2 AND ${OF_TEAM}
       UNION
       SELECT model_id, version FROM tombstones
       WHERE parent_model_id = ?1 AND parent_version = ?2 AND ${OF_TEAM}
       ORDER BY modelId, version LIMIT ${MAX_CHILDREN}`,
      modelId,
      version,
      team ?? null,
    );
  }
}

type ParentRow = { parent_model_id: string | null; parent_version: string | null };
type AncestryRow = ParentRow & { state: Ancestry['state']; registration: string };

export const parentIn = ({
  parent_model_id: modelId,
  parent_version: version,
}: ParentRow): Parent | null => (modelId === null ? null : { modelId, version });
