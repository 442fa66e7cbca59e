import type { Digest } from '../contract/digest.ts';
import type { Ownership, Used } from '../http/ownership.ts';
import { TableStore } from '../storage/table-store.ts';

/** A part whose bytes are in the bucket. */
export interface StoredPart {
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly objectKey: string;
}

export const PART_COLUMNS = 'digest, size_bytes AS sizeBytes, object_key AS objectKey';
export type PartRow = { -readonly [K in keyof StoredPart]: StoredPart[K] };

/** Teams see the parts they hold: a digest alone does not reveal that another team has the bytes. */
const heldBy = (team: '?2' | '?3') => `(${team} IS NULL OR EXISTS (
  SELECT 1 FROM part_holders WHERE part_holders.digest = parts.digest AND team = ${team}))`;

/**
 * The parts in the bucket, and when each was last sent or asked for: those that were not for long, and
 * that nothing names, are deleted. A `team` restricts a method to the parts that the team holds.
 */
export class PartStore extends TableStore {
  add({ digest, sizeBytes, objectKey }: StoredPart, now: number): void {
    this.run`INSERT INTO parts VALUES (${digest}, ${sizeBytes}, ${objectKey}, ${now})`;
  }

  get(digest: string, team: string | undefined): StoredPart | undefined {
    const query = `SELECT ${PART_COLUMNS} FROM parts WHERE digest = ?1 AND ${heldBy('?2')}`;
    return this.row<PartRow>(query, digest, team ?? null);
  }

  /** Those of the digests that exist, each once; they are retained for a while from now on. */
  touch(digests: readonly string[], now: number, team: string | undefined): readonly StoredPart[] {
    return this.rows<PartRow>(
      `UPDATE parts SET touched_at = ?1
       WHERE digest IN (SELECT value FROM json_each(?2)) AND ${heldBy('?3')}
       RETURNING ${PART_COLUMNS}`,
      now,
      JSON.stringify(digests),
      team ?? null,
    );
  }

  /** The digests that were last sent or asked for by a time, the oldest first. */
  untouchedSince(time: number, limit: number): readonly string[] {
    const rows = this.rows<{ digest: string }>`
      SELECT digest FROM parts WHERE touched_at <= ${time} ORDER BY touched_at LIMIT ${limit}`;
    return rows.map(({ digest }) => digest);
  }

  /** Removes parts that were not touched after a time. */
  remove(digests: readonly string[], time: number): readonly StoredPart[] {
    return this.rows<PartRow>(
      `DELETE FROM parts WHERE touched_at <= ? AND digest IN (SELECT value FROM json_each(?))
       RETURNING ${PART_COLUMNS}`,
      time,
      JSON.stringify(digests),
    );
  }

  oldestAt(): number | undefined {
    return this.value<number | null>('SELECT min(touched_at) FROM parts') ?? undefined;
  }
}

/**
 * Which teams hold which parts, and the owner whose quota they count towards. Equal bytes are stored
 * once in the bucket for all teams.
 */
export class PartHolders extends TableStore {
  /** Gives existing parts to a team; those it holds already pass to the new owner. */
  give(digests: readonly string[], { owner, team }: Ownership): void {
    const rows = this.rows<{ digest: string; size_bytes: number; before: string | null }>`
      SELECT parts.digest, parts.size_bytes, part_holders.owner AS before FROM parts
      LEFT JOIN part_holders ON part_holders.digest = parts.digest AND team = ${team}
      WHERE parts.digest IN (SELECT value FROM json_each(${JSON.stringify(digests)}))`;
    for (const { digest, size_bytes, before } of rows) {
      if (before === owner) continue;
      this.replace('part_holders', { digest, team, owner, size_bytes });
      this.#count({ owner, team }, size_bytes);
      if (before !== null) this.#count({ owner: before, team }, -size_bytes);
    }
  }

  /** Removes deleted parts from all who hold them. */
  forget(digests: readonly string[]): void {
    this.#drop('digest IN (SELECT value FROM json_each(?))', JSON.stringify(digests));
  }

  /** Takes from a team the parts of a dataset that none of its other datasets consists of. */
  release(dataset: string, team: string): void {
    this.#drop(
      `team = ?1 AND digest IN (SELECT digest FROM dataset_parts WHERE name = ?2)
       AND digest NOT IN (SELECT dataset_parts.digest FROM dataset_parts
         JOIN datasets USING (name) WHERE datasets.team = ?1 AND name <> ?2)`,
      team,
      dataset,
    );
  }

  /** How many bytes an owner has, and the team. */
  used({ owner, team }: Ownership): Used {
    return this.usage`SELECT coalesce(sum(bytes) FILTER (WHERE owner = ${owner}), 0) AS own,
      coalesce(sum(bytes), 0) AS "all" FROM held_bytes WHERE team = ${team}`;
  }

  #drop(where: string, ...values: readonly SqlStorageValue[]): void {
    const gone = this.rows<{ team: string; owner: string; size_bytes: number }>(
      `DELETE FROM part_holders WHERE ${where} RETURNING team, owner, size_bytes`,
      ...values,
    );
    for (const { size_bytes, ...whose } of gone) this.#count(whose, -size_bytes);
  }

  #count({ owner, team }: Ownership, bytes: number): void {
    this.run`INSERT INTO held_bytes VALUES (${team}, ${owner}, ${bytes})
      ON CONFLICT (team, owner) DO UPDATE SET bytes = bytes + excluded.bytes`;
  }
}
