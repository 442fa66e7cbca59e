import { TableStore } from '../storage/table-store.ts';
import {
  type AliasDecision,
  aliasOf,
  type Conditions,
  decideAlias,
  isAsExpected,
  type NewAlias,
  type RemoveAliasResult,
} from './changes.ts';
import type { AliasRecord } from './contract/alias.ts';

type AliasRow = { [K in Exclude<keyof AliasRecord, 'etag'>]: AliasRecord[K] };

/** The table of aliases. */
export class AliasStore extends TableStore {
  get(modelId: string, alias: string): AliasRecord | undefined {
    return this.list(modelId).find((stored) => stored.alias === alias);
  }

  list(modelId: string): readonly AliasRecord[] {
    const rows = this.rows<AliasRow>`SELECT model_id, alias, version, updated_at, owner, team
      FROM aliases JOIN models USING (model_id) WHERE model_id = ${modelId} ORDER BY alias`;
    return rows.map(aliasOf);
  }

  /** Points an alias to a version, which has to exist. */
  set(target: NewAlias, conditions: Conditions, now: string): AliasDecision {
    const all = this.list(target.model_id);
    const stored = all.find(({ alias }) => alias === target.alias);
    const decision = decideAlias(stored, target, { conditions, now, count: all.length });
    if (decision.kind === 'create' || decision.kind === 'move') {
      const { model_id, alias, version, updated_at } = decision.alias;
      this.replace('aliases', { model_id, alias, version, updated_at });
    }
    return decision;
  }

  remove(modelId: string, alias: string, conditions: Conditions): RemoveAliasResult {
    const stored = this.get(modelId, alias);
    if (!stored) return { kind: 'no-alias' };
    if (!isAsExpected(conditions, stored.etag)) return { kind: 'changed', etag: stored.etag };
    this.run`DELETE FROM aliases WHERE model_id = ${modelId} AND alias = ${alias}`;
    return { kind: 'removed', version: stored.version };
  }
}
