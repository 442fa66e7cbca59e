import type { AliasRecord } from './contract/alias.ts';
import {
  type AliasDecision,
  type AskedAlias,
  aliasOf,
  type Conditions,
  decideAlias,
  isAsExpected,
} from './changes.ts';
import type { RemoveAliasResult } from './results.ts';

type Row = Record<'alias' | 'version' | 'updated_at' | 'owner' | 'team', SqlStorageValue>;

/** The aliases of models. Every method is one synchronous step. */
export class AliasStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(modelId: string, alias: string): AliasRecord | undefined {
    return this.list(modelId).find((stored) => stored.alias === alias);
  }

  list(modelId: string): readonly AliasRecord[] {
    return this.#sql
      .exec<Row>(
        `SELECT alias, version, updated_at, owner, team FROM aliases JOIN models USING (model_id)
         WHERE model_id = ? ORDER BY alias`,
        modelId,
      )
      .toArray()
      .map((row) =>
        aliasOf({
          model_id: modelId,
          alias: String(row.alias),
          version: String(row.version),
          owner: String(row.owner),
          team: String(row.team),
          updated_at: String(row.updated_at),
        }),
      );
  }

  /** Points an alias to a version, which has to exist. */
  set(asked: AskedAlias, conditions: Conditions, now: string): AliasDecision {
    const all = this.list(asked.model_id);
    const stored = all.find(({ alias }) => alias === asked.alias);
    const decision = decideAlias(stored, asked, { conditions, now, count: all.length });
    if (decision.kind === 'create' || decision.kind === 'move') {
      const { model_id, alias, version, updated_at } = decision.alias;
      this.#sql.exec(
        'INSERT OR REPLACE INTO aliases (model_id, alias, version, updated_at) VALUES (?, ?, ?, ?)',
        model_id,
        alias,
        version,
        updated_at,
      );
    }
    return decision;
  }

  remove(modelId: string, alias: string, conditions: Conditions): RemoveAliasResult {
    const stored = this.get(modelId, alias);
    if (!stored) return { kind: 'no-alias' };
    if (!isAsExpected(conditions, stored.etag)) return { kind: 'changed', etag: stored.etag };
    this.#sql.exec('DELETE FROM aliases WHERE model_id = ? AND alias = ?', modelId, alias);
    return { kind: 'removed', version: stored.version };
  }
}
