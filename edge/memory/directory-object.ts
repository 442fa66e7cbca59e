import type { Env } from '../env.ts';
import { quotaRefusal, type Used } from '../http/ownership.ts';
import { StoredObject } from '../storage/stored-object.ts';
import type { MemoryNamespaceRecord } from './contract/namespace.ts';
import type { Place } from './owner.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
const MEMORY_DIRECTORY_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE namespaces (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    namespace TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (owner, namespace)
  );
  `,
  // In a team's object: how much of a kind its owners have, by place.
  `
  CREATE TABLE holdings (
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    place TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, owner, place)
  ) WITHOUT ROWID;
  CREATE TABLE totals (
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, owner)
  ) WITHOUT ROWID;
  `,
];

interface NamespacePage {
  readonly namespaces: readonly MemoryNamespaceRecord[];
  /** The start of the next page; undefined after the last. */
  readonly next: number | undefined;
}

/** A page of the directory. */
interface NamespaceRange {
  /** All owners where it is left out. */
  readonly owner?: string | undefined;
  readonly limit: number;
  readonly before: number;
}

/** A resource with a quota, of an owner at a place. */
export interface Holding {
  readonly kind: 'memories' | 'sensors';
  readonly owner: string;
  readonly place: string;
}

interface Claim extends Holding {
  readonly team: string;
  readonly adding: number;
  /** The present count, where known; otherwise the last reported one. */
  readonly held?: number;
}

/** The key of a team's total, next to those of its owners: no owner has this name. */
const WHOLE_TEAM = '';

/**
 * The directory of memory namespaces. The object of a team counts the usage of its owners, as
 * reported by whatever stores it.
 */
export class MemoryDirectory extends StoredObject {
  readonly #sql: SqlStorage;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, MEMORY_DIRECTORY_MIGRATIONS, { mayHold: { namespaces: 0 } });
    this.#sql = ctx.storage.sql;
  }

  /** Records a namespace before anything is stored in it. */
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

  /**
   * Reserves usage. @returns the present usage where the quota is exceeded, and reserves nothing
   */
  async claim({ team, adding, held, ...holding }: Claim): Promise<Used | undefined> {
    await this.makeKnown('MemoryDirectory');
    const before = this.#held(holding);
    const now = held ?? before;
    const used = {
      owner: this.#total(holding.kind, holding.owner) - before + now,
      team: this.#total(holding.kind, WHOLE_TEAM) - before + now,
    };
    const demand = { quota: holding.kind, used, adding, settings: this.env.QUOTAS };
    if (quotaRefusal(team, demand)) return used;
    this.setCount(holding, now + adding);
    return undefined;
  }

  /** Sets the present count. */
  setCount(holding: Holding, count: number): void {
    const { kind, owner, place } = holding;
    const more = count - this.#held(holding);
    if (more === 0) return;
    this.ctx.storage.transactionSync(() => {
      this.#sql.exec(
        'INSERT OR REPLACE INTO holdings VALUES (?, ?, ?, ?)',
        kind,
        owner,
        place,
        count,
      );
      for (const whose of [owner, WHOLE_TEAM]) {
        this.#sql.exec(
          `INSERT INTO totals (kind, owner, count) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET count = count + excluded.count`,
          kind,
          whose,
          more,
        );
      }
      this.#sql.exec(
        'DELETE FROM holdings WHERE kind = ? AND owner = ? AND place = ? AND count = 0',
        kind,
        owner,
        place,
      );
    });
  }

  /** The places with an owner's highest counts. */
  places(kind: Holding['kind'], owner: string, limit: number): readonly string[] {
    return this.#sql
      .exec<{ place: string }>(
        'SELECT place FROM holdings WHERE kind = ? AND owner = ? ORDER BY count DESC LIMIT ?',
        kind,
        owner,
        limit,
      )
      .toArray()
      .map(({ place }) => place);
  }

  #held({ kind, owner, place }: Holding): number {
    const [row] = this.#sql
      .exec<{ count: number }>(
        'SELECT count FROM holdings WHERE kind = ? AND owner = ? AND place = ?',
        kind,
        owner,
        place,
      )
      .toArray();
    return row?.count ?? 0;
  }

  #total(kind: Holding['kind'], owner: string): number {
    const [row] = this.#sql
      .exec<{ count: number }>('SELECT count FROM totals WHERE kind = ? AND owner = ?', kind, owner)
      .toArray();
    return row?.count ?? 0;
  }

  /** The latest created first. */
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
