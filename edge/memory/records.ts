import type { CausalFinding } from '../causal/extract.ts';
import type { CausalEdge } from './contract/causal.ts';
import type { FoundCause, MemoryRecord } from './contract/memory.ts';
import type { Ranked } from './ranking.ts';
import { sessionKey, tagKey, unseal, userKey } from './sealing.ts';

/** A memory as it is sent to its object, with everything computed in advance. */
export interface NewEntry {
  readonly content: string;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly importance: number;
  /** Epoch milliseconds; null for now. */
  readonly occurredAt: number | null;
  readonly ttlS: number | null;
  readonly replaces: readonly string[];
  readonly vector: Int8Array;
  readonly findings: readonly CausalFinding[];
}

export interface StoreResult {
  readonly memoryId: string;
  readonly createdAt: number;
  readonly deduplicated: boolean;
}

/** Conditions on memories. All tags have to match. */
export interface Filters {
  readonly userId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Epoch milliseconds. */
  readonly asOf: number;
}

/** A page of a list, from its end. */
export interface ListRange {
  readonly limit: number;
  readonly before: number;
}

export type MemoryEntry = Omit<MemoryRecord, 'namespace'>;

/** A memory with the causes named in its text. */
export type MemoryEntryWithCauses = MemoryEntry & {
  readonly causal_edges: readonly FoundCause[];
};

export interface MemoryPage {
  readonly memories: readonly MemoryEntry[];
  readonly total: number;
  /** The start of the next page; undefined after the last. */
  readonly next: number | undefined;
}

/** A query in the form of each retrieval method; null for one that is not used. */
export interface Query {
  readonly terms: readonly string[] | null;
  readonly vector: Int8Array | null;
  /** Whether the vector is a cue for the associative network, instead of being compared. */
  readonly isCue: boolean;
  /** The number of steps along causes from what was found. */
  readonly hops: number;
}

export interface Search {
  readonly query: Query;
  readonly filters: Filters;
  readonly offset: number;
  readonly limit: number;
  readonly minScore: number;
}

export type Hit = MemoryEntry & Pick<Ranked, 'score' | 'breakdown'>;

export interface Found {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
  /** The retrieval methods used. */
  readonly strategy: string;
  readonly truncated: boolean;
}

/** The retrieved memories, and the causal edges around them, the most confident first. */
export interface Orchestrated extends Omit<Found, 'hasMore'> {
  readonly edges: readonly CausalEdge[];
  /** The distance of the furthest edge. */
  readonly hops: number;
}

/** Part of an export, in the order of storing. */
export interface ExportPage {
  readonly memories: readonly MemoryEntryWithCauses[];
  /** The memory after which the next part starts; undefined after the last. */
  readonly next: number | undefined;
}

export interface MemoryCounts {
  readonly memories: number;
  readonly users: number;
  readonly edges: number;
  readonly evidence: number;
  readonly vectors: number;
  readonly storageBytes: number;
  readonly firstValidAt: number | null;
  readonly lastValidAt: number | null;
}

/** The public part of a finding. */
export const foundCause = ({
  cause,
  effect,
  relation,
  confidence,
  evidence,
}: FoundCause): FoundCause => ({ cause, effect, relation, confidence, evidence });

/** The abort reason of a memory object that is about to restart. */
export const RENEWED = 'The memory begins anew, as something was deleted for good.';

/** Part of a WHERE clause over `memories` with its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (SqlStorageValue | Uint8Array)[];
}

/** The condition for visible memories: they hold at that time, and have not expired now. */
export function conditionOf(filters: Filters, now: number): Condition {
  const { userId, sessionId, tags = [], asOf } = filters;
  const conditions: readonly Condition[] = [
    {
      sql: 'valid_at <= ? AND (invalid_at IS NULL OR invalid_at > ?)',
      values: [asOf, asOf],
    },
    { sql: '(expires_at IS NULL OR expires_at > ?)', values: [now] },
    ...(userId === undefined ? [] : [{ sql: 'user_key = ?', values: [userKey(userId)] }]),
    ...(sessionId === undefined
      ? []
      : [{ sql: 'session_key = ?', values: [sessionKey(sessionId)] }]),
    ...tags.map((tag) => ({
      sql: 'seq IN (SELECT seq FROM memory_tags WHERE tag_key = ?)',
      values: [tagKey(tag)],
    })),
  ];
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** The personal content of a memory, which is sealed. */
export interface Body {
  readonly content: string;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The stored form of a memory, with times in epoch milliseconds. */
export interface Row extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly slot: number;
  readonly memory_id: string;
  readonly body: ArrayBuffer;
  readonly key: ArrayBuffer;
  readonly importance: number;
  readonly created_at: number;
  readonly valid_at: number;
  readonly invalid_at: number | null;
  readonly expires_at: number | null;
}

/** The beginning of queries for rows. */
export const SELECT = `SELECT seq, slot, memory_id, body, key, importance, created_at, valid_at, invalid_at,
  expires_at FROM memories JOIN texts USING (seq) JOIN slots USING (slot)`;

/** @throws TypeError where the key does not belong to the text */
export const bodyOf = ({ body, key }: Row): Body =>
  JSON.parse(unseal(new Uint8Array(body), new Uint8Array(key))) as Body;

/** The public form of a stored memory. */
export function memoryEntryOf(row: Row): MemoryEntry {
  const { content, user_id, session_id, tags, metadata } = bodyOf(row);
  // A memory ceases to hold when it expires, unless something ends it earlier.
  const ends = [row.invalid_at, row.expires_at].filter((at) => at !== null);
  return {
    memory_id: row.memory_id,
    content,
    user_id,
    session_id,
    tags: [...tags],
    metadata: { ...metadata },
    importance: row.importance,
    created_at: time(row.created_at),
    valid_at: time(row.valid_at),
    invalid_at: ends.length > 0 ? time(Math.min(...ends)) : null,
    expires_at: row.expires_at === null ? null : time(row.expires_at),
  };
}

const time = (at: number) => new Date(at).toISOString();
