import type { Ownership, Used } from '../http/ownership.ts';

type Row<K extends string> = Record<K, SqlStorageValue>;

/**
 * Which teams have which parts, for whose account. The same bytes lie in the bucket once, but who
 * did not send them, and is not named by what holds them, does not learn that they are there.
 * Every method is one synchronous step.
 */
export class PartHolders {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Gives parts that are there to a team; what it has already goes over to the new owner. */
  give(digests: readonly string[], { owner, team }: Ownership): void {
    const rows = this.#sql
      .exec<Row<'digest' | 'size_bytes' | 'before'>>(
        `SELECT parts.digest, parts.size_bytes, part_holders.owner AS before FROM parts
         LEFT JOIN part_holders ON part_holders.digest = parts.digest AND team = ?
         WHERE parts.digest IN (SELECT value FROM json_each(?))`,
        team,
        JSON.stringify(digests),
      )
      .toArray();
    for (const { digest, size_bytes, before } of rows) {
      if (before === owner) continue;
      this.#sql.exec(
        'INSERT OR REPLACE INTO part_holders VALUES (?, ?, ?, ?)',
        digest,
        team,
        owner,
        size_bytes,
      );
      this.#count({ owner, team }, Number(size_bytes));
      if (before !== null) this.#count({ owner: String(before), team }, -Number(size_bytes));
    }
  }

  /** Takes parts from all who have them, as they are cleared away. */
  forget(digests: readonly string[]): void {
    this.#drop('digest IN (SELECT value FROM json_each(?))', JSON.stringify(digests));
  }

  /** Takes from a team the parts of a dataset that no other one of the team is made of. */
  release(dataset: string, team: string): void {
    this.#drop(
      `team = ?1 AND digest IN (SELECT digest FROM dataset_parts WHERE name = ?2)
       AND digest NOT IN (SELECT dataset_parts.digest FROM dataset_parts
         JOIN datasets USING (name) WHERE datasets.team = ?1 AND name <> ?2)`,
      team,
      dataset,
    );
  }

  /** How many bytes an owner has, and his team. */
  used({ owner, team }: Ownership): Used {
    const { own, all } = this.#sql
      .exec<Row<'own' | 'all'>>(
        `SELECT coalesce(sum(bytes) FILTER (WHERE owner = ?), 0) AS own,
           coalesce(sum(bytes), 0) AS "all" FROM held_bytes WHERE team = ?`,
        owner,
        team,
      )
      .one();
    return { owner: Number(own), team: Number(all) };
  }

  #drop(where: string, ...values: readonly SqlStorageValue[]): void {
    const gone = this.#sql
      .exec<Row<'team' | 'owner' | 'size_bytes'>>(
        `DELETE FROM part_holders WHERE ${where} RETURNING team, owner, size_bytes`,
        ...values,
      )
      .toArray();
    for (const { team, owner, size_bytes } of gone) {
      this.#count({ owner: String(owner), team: String(team) }, -Number(size_bytes));
    }
  }

  #count({ owner, team }: Ownership, bytes: number): void {
    this.#sql.exec(
      `INSERT INTO held_bytes VALUES (?, ?, ?)
       ON CONFLICT (team, owner) DO UPDATE SET bytes = bytes + excluded.bytes`,
      team,
      owner,
      bytes,
    );
  }
}
