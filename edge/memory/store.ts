import { contentKey, MemorySlots, seal, sessionKey, tagKey, userKey } from './sealing.ts';
import type { Weighed } from './ranking.ts';
import {
  type Body,
  bodyOf,
  type Condition,
  type MemoryCounts,
  type MemoryEntry,
  memoryEntryOf,
  type MemoryPage,
  type ListRange,
  type NewEntry,
  type Row,
  SELECT,
} from './records.ts';
import { TableStore } from '../storage/table-store.ts';

/** When a memory begins to hold, and when it expires, in epoch milliseconds. */
export interface Times {
  readonly validAt: number;
  readonly expiresAt: number | null;
}

/** A page of an export, of one user or of all. */
interface ExportRange {
  readonly userId: string | undefined;
  readonly limit: number;
  readonly now: number;
}

interface Exportable {
  readonly memories: ReadonlyMap<number, MemoryEntry>;
  readonly next: number | undefined;
}

/** The SQL of memories and their texts. */
export class MemoryStore extends TableStore {
  readonly #slots: MemorySlots;

  constructor(sql: SqlStorage) {
    super(sql);
    this.#slots = new MemorySlots(sql);
  }

  /** The same user's memory with the same text that holds now. */
  sameAs(
    { content, userId }: NewEntry,
    now: number,
  ): (MemoryEntry & { readonly seq: number }) | undefined {
    const row = this.row<Row>(
      `${SELECT} WHERE content_key = ? AND (invalid_at IS NULL OR invalid_at > ?)
          AND (expires_at IS NULL OR expires_at > ?)`,
      contentKey(content, userId),
      now,
      now,
    );
    return row && { seq: row.seq, ...memoryEntryOf(row) };
  }

  count(): number {
    return this.value<number>('SELECT memories FROM held');
  }

  /** Adds a memory. @returns its sequence number */
  add(memoryId: string, entry: NewEntry, now: number, times: Times): number {
    const { content, userId, sessionId, tags, metadata, importance } = entry;
    const { slot, key } = this.#slots.take(entry.vector);
    const { seq } = this.one<{ seq: number }>`
      INSERT INTO memories (memory_id, slot, content_key, user_key, session_key, importance,
        created_at, valid_at, expires_at)
      VALUES (${memoryId}, ${slot}, ${contentKey(content, userId)},
        ${userId === null ? null : userKey(userId)},
        ${sessionId === null ? null : sessionKey(sessionId)}, ${importance}, ${now},
        ${times.validAt}, ${times.expiresAt}) RETURNING seq`;
    const body: Body = { content, user_id: userId, session_id: sessionId, tags, metadata };
    const sealed = seal(JSON.stringify(body), key);
    this.run`INSERT INTO texts (seq, body) VALUES (${seq}, ${sealed})`;
    this.#tag(seq, tags);
    return seq;
  }

  /** Merges a repeated memory: the highest importance, the longest validity, all tags. */
  reinforce(seq: number, entry: Pick<NewEntry, 'importance' | 'tags'>, times: Times): void {
    this.run`UPDATE memories SET importance = max(importance, ${entry.importance}),
        valid_at = min(valid_at, ${times.validAt}), expires_at = CASE WHEN expires_at IS NULL OR ${times.expiresAt} IS NULL
          THEN NULL ELSE max(expires_at, ${times.expiresAt}) END
      WHERE seq = ${seq}`;
    const { slot, body: known } = this.#body(seq);
    const tags = [...new Set([...known.tags, ...entry.tags])];
    if (tags.length === known.tags.length) return;
    const sealed = seal(JSON.stringify({ ...known, tags }), this.#slots.rekey(slot));
    this.run`UPDATE texts SET body = ${sealed} WHERE seq = ${seq}`;
    this.#tag(seq, tags);
  }

  /** Ends the validity of memories; an earlier end stays. */
  invalidate(memoryIds: readonly string[], at: number): readonly number[] {
    return memoryIds.flatMap((memoryId) =>
      this.rows<{ seq: number }>(
        `UPDATE memories SET invalid_at = max(valid_at, ?)
            WHERE memory_id = ? AND (invalid_at IS NULL OR invalid_at > ?) RETURNING seq`,
        at,
        memoryId,
        at,
      ).map(({ seq }) => seq),
    );
  }

  /** Deletes a memory; without its key, its content is unreadable. */
  remove(seq: number): void {
    this.#slots.clear(this.#body(seq).slot);
    for (const table of ['texts', 'memory_tags', 'memories']) {
      this.run(`DELETE FROM ${table} WHERE seq = ?`, seq);
    }
  }

  seqOf(memoryId: string): number | undefined {
    return this.row<{ seq: number }>`SELECT seq FROM memories WHERE memory_id = ${memoryId}`?.seq;
  }

  idsOf(seqs: readonly number[]): readonly string[] {
    const rows = this.rows<{ memory_id: string }>`SELECT memory_id FROM memories
      WHERE seq IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
    return rows.map(({ memory_id: id }) => id);
  }

  allIds(): readonly string[] {
    const rows = this.rows<{ memory_id: string }>('SELECT memory_id FROM memories');
    return rows.map(({ memory_id: id }) => id);
  }

  allSeqs(): readonly number[] {
    const rows = this.rows<{ seq: number }>('SELECT seq FROM memories ORDER BY seq');
    return rows.map(({ seq }) => seq);
  }

  contentOf = (seq: number): string => this.#body(seq).body.content;

  contentsOf = (seqs: readonly number[]): ReadonlyMap<number, string> =>
    new Map(Array.from(this.byNumber(seqs), ([seq, { content }]) => [seq, content]));

  /** Memories by their numbers; missing ones are left out. */
  byNumber(seqs: readonly number[]): ReadonlyMap<number, MemoryEntry> {
    const rows = this.rows<Row>(
      `${SELECT} WHERE seq IN (SELECT value FROM json_each(?))`,
      JSON.stringify(seqs),
    );
    return new Map(rows.map((row) => [row.seq, memoryEntryOf(row)]));
  }

  /** The numbers of the memories that match. */
  numbers({ sql, values }: Condition): readonly number[] {
    const rows = this.rows<{ seq: number }>(`SELECT seq FROM memories WHERE ${sql}`, ...values);
    return rows.map(({ seq }) => seq);
  }

  /** The numbers of memories about or from a user, up to a limit. */
  ofUser(userId: string, limit: number): readonly number[] {
    const rows = this.rows<{ seq: number }>`
      SELECT seq FROM memories WHERE user_key = ${userKey(userId)} LIMIT ${limit}`;
    return rows.map(({ seq }) => seq);
  }

  /** The number of memories about or from a user. */
  countOf(userId: string): number {
    return this.value<number>`
      SELECT count(*) AS memories FROM memories WHERE user_key = ${userKey(userId)}`;
  }

  /** Memories by their numbers, in the order of storing. */
  after(before: number, { userId, limit, now }: ExportRange): Exportable {
    const rows = this.rows<Row>(
      `${SELECT} WHERE seq > ? AND (expires_at IS NULL OR expires_at > ?)
          ${userId === undefined ? '' : 'AND user_key = ?'} ORDER BY seq LIMIT ?`,
      before,
      now,
      ...(userId === undefined ? [] : [userKey(userId)]),
      limit,
    );
    return {
      memories: new Map(rows.map((row) => [row.seq, memoryEntryOf(row)])),
      next: rows.length === limit ? rows.at(-1)?.seq : undefined,
    };
  }

  /** Those of some memories that match, with the attributes for their rank. */
  weigh(seqs: Iterable<number>, condition: Condition): ReadonlyMap<number, Weighed> {
    const rows = this.rows<{ seq: number; valid_at: number; importance: number }>(
      `SELECT seq, valid_at, importance FROM memories
          WHERE seq IN (SELECT value FROM json_each(?)) AND ${condition.sql}`,
      JSON.stringify([...seqs]),
      ...condition.values,
    );
    return new Map(
      rows.map(({ seq, valid_at: validAt, importance }) => [seq, { seq, validAt, importance }]),
    );
  }

  /** A page, the latest stored first. */
  page({ limit, before }: ListRange, { sql, values }: Condition): MemoryPage {
    const rows = this.rows<Row>(
      `${SELECT} WHERE seq < ? AND ${sql} ORDER BY seq DESC LIMIT ?`,
      before,
      ...values,
      limit + 1,
    );
    const { total } = this.one<{ total: number }>(
      `SELECT count(*) AS total FROM memories WHERE ${sql}`,
      ...values,
    );
    return {
      memories: rows.slice(0, limit).map(memoryEntryOf),
      total,
      next: rows.length > limit ? rows[limit - 1]?.seq : undefined,
    };
  }

  held(): Omit<MemoryCounts, 'edges' | 'evidence' | 'vectors'> {
    return {
      ...this.one<{
        memories: number;
        users: number;
        firstValidAt: number;
        lastValidAt: number;
      }>(`SELECT count(*) AS memories, count(DISTINCT user_key) AS users,
            min(valid_at) AS firstValidAt, max(valid_at) AS lastValidAt FROM memories`),
      storageBytes: this.sql.databaseSize,
    };
  }

  /** The numbers of expired memories, up to a limit. */
  expired(now: number, limit: number): readonly number[] {
    const rows = this.rows<{ seq: number }>`
      SELECT seq FROM memories WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}`;
    return rows.map(({ seq }) => seq);
  }

  firstExpiry(): number | undefined {
    const { at } = this.one<{ at: number | null }>('SELECT min(expires_at) AS at FROM memories');
    return at ?? undefined;
  }

  #body(seq: number): { readonly slot: number; readonly body: Body } {
    const row = this.one<Row>(`${SELECT} WHERE seq = ?`, seq);
    return { slot: row.slot, body: bodyOf(row) };
  }

  #tag(seq: number, tags: readonly string[]): void {
    for (const tag of tags) {
      this.run`INSERT OR IGNORE INTO memory_tags VALUES (${tagKey(tag)}, ${seq})`;
    }
  }
}
