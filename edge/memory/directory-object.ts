import type { Env } from '../env.ts';
import { quotaRefusal, type Used } from '../http/ownership.ts';
import { StoredObject } from '../storage/stored-object.ts';
import type { MemoryNamespaceRecord } from './contract/namespace.ts';
import type { Place } from './owner.ts';

/** Each entry is applied once, in order, and never edited after it has been released. */
export const MEMORY_DIRECTORY_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE namespaces (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    namespace TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (owner, namespace)
  );
  `,
  // In the object of a team: how much of a kind its owners hold, and where.
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

/** Something that an owner holds at a place, and that there is a quota for. */
export interface Holding {
  readonly kind: 'memories' | 'sensors';
  readonly owner: string;
  readonly place: string;
}

export interface Claim extends Holding {
  readonly team: string;
  readonly adding: number;
  /** What is there now, where that is known; what was told last otherwise. */
  readonly held?: number;
}

/** The total of a team stands beside those of its owners: no owner is called so. */
const WHOLE_TEAM = '';

/**
 * Which namespaces of memories there are; what is in them, each keeps by itself. The one of a team
 * counts what its owners hold: whoever keeps something tells how much that is.
 */
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

  /** Counts what is about to be added; where that is too much, says what there is, and counts nothing. */
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
    this.tell(holding, now + adding);
    return undefined;
  }

  /** Takes in what is there now. */
  tell(holding: Holding, count: number): void {
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

  /** Where an owner holds most. */
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
