import type { MemoryNamespaceRecord } from '../contract/memory/namespace.ts';
import type { Env } from '../env.ts';
import type { Place } from '../memory/owner.ts';
import { MEMORY_DIRECTORY_MIGRATIONS } from './memory-directory-schema.ts';
import { StoredObject } from './stored-object.ts';

export interface NamespacePage {
  readonly namespaces: readonly MemoryNamespaceRecord[];
  /** Where the next page begins; undefined after the last. */
  readonly next: number | undefined;
}

/** What is asked of the directory: whose, how many, and before which. */
export interface NamespaceRange {
  /** Everybody's where it is left out. */
  readonly owner?: string | undefined;
  readonly limit: number;
  readonly before: number;
}

/** Which namespaces of memories there are; what is in them, each keeps by itself. */
export class MemoryDirectory extends StoredObject {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, MEMORY_DIRECTORY_MIGRATIONS, { mayHold: { namespaces: 0 } });
    this.#sql = ctx.storage.sql;
  }

  /** Notes a namespace that something is about to be stored in. */
  add({ owner, namespace }: Place): void {
    this.#sql.exec(
      'INSERT OR IGNORE INTO namespaces (owner, namespace, created_at) VALUES (?, ?, ?)',
      owner,
      namespace,
      Date.now(),
    );
  }

  has({ owner, namespace }: Place): boolean {
    const rows = this.#sql.exec(
      'SELECT 1 FROM namespaces WHERE owner = ? AND namespace = ?',
      owner,
      namespace,
    );
    return rows.toArray().length > 0;
  }

  remove({ owner, namespace }: Place): void {
    this.#sql.exec('DELETE FROM namespaces WHERE owner = ? AND namespace = ?', owner, namespace);
  }

  /** The latest made first. */
  list({ owner, limit, before }: NamespaceRange): NamespacePage {
    const rows = this.#sql
      .exec<{ seq: number; owner: string; namespace: string; created_at: number }>(
        `SELECT seq, owner, namespace, created_at FROM namespaces
          WHERE seq < ?${owner === undefined ? '' : ' AND owner = ?'} ORDER BY seq DESC LIMIT ?`,
        before,
        ...(owner === undefined ? [] : [owner]),
        limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, limit);
    return {
      namespaces: shown.map((row) => ({
        namespace: row.namespace,
        owner: row.owner,
        created_at: new Date(row.created_at).toISOString(),
      })),
      next: rows.length > limit ? shown.at(-1)?.seq : undefined,
    };
  }
}
