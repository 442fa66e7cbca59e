import type { CausalFinding } from '../causal/extract.ts';
import type { CausalEdge } from './contract/causal.ts';
import type { FoundCause, MemoryRecord } from './contract/memory.ts';
import type { Ranked } from './ranking.ts';
import { sessionKey, tagKey, unseal, userKey } from './sealing.ts';

/** A memory as it comes to its object: what can be worked out elsewhere is. */
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

/** Which memories are meant. Each tag that is named has to be there. */
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

export type Kept = Omit<MemoryRecord, 'namespace'>;

/** A memory with the causes that its text names. */
export type WholeKept = Kept & { readonly causal_edges: readonly FoundCause[] };

export interface KeptPage {
  readonly memories: readonly Kept[];
  readonly total: number;
  /** Where the next page begins; undefined after the last. */
  readonly next: number | undefined;
}

/** What is looked for, in each of the ways there are; null for a way that is not to be taken. */
export interface Query {
  readonly terms: readonly string[] | null;
  readonly vector: Int8Array | null;
  /** Whether the vector is a cue to the associative network, in place of being compared. */
  readonly isCue: boolean;
  /** How many steps along causes are taken from what was found. */
  readonly hops: number;
}

export interface Search {
  readonly query: Query;
  readonly filters: Filters;
  readonly offset: number;
  readonly limit: number;
  readonly minScore: number;
}

export type Hit = Kept & Pick<Ranked, 'score' | 'breakdown'>;

export interface Found {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
  /** What took part. */
  readonly strategy: string;
  readonly truncated: boolean;
}

/** What was found, and what it and its surroundings say of causes, the most confident first. */
export interface Orchestrated extends Omit<Found, 'hasMore'> {
  readonly edges: readonly CausalEdge[];
  /** How many steps the furthest of them is away. */
  readonly hops: number;
}

/** Part of an export, in the order in which memories were stored. */
export interface ExportPage {
  readonly memories: readonly WholeKept[];
  /** After which memory the next part begins; undefined after the last. */
  readonly next: number | undefined;
}

export interface Held {
  readonly memories: number;
  readonly users: number;
  readonly edges: number;
  readonly evidence: number;
  readonly vectors: number;
  readonly storageBytes: number;
  readonly firstValidAt: number | null;
  readonly lastValidAt: number | null;
}

/** What is told of a cause, without how it was found. */
export const foundCause = ({
  cause,
  effect,
  relation,
  confidence,
  evidence,
}: FoundCause): FoundCause => ({ cause, effect, relation, confidence, evidence });

/** Why an object of memories ends that is about to begin anew. */
export const RENEWED = 'The memory begins anew, as something was deleted for good.';

/** Part of a WHERE clause over `memories` with its values. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (SqlStorageValue | Uint8Array)[];
}

/** What a memory has to be to be seen: it holds at that time, and is not to be deleted now. */
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

/** What people wrote: it is sealed. */
export interface Body {
  readonly content: string;
  readonly user_id: string | null;
  readonly session_id: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A memory as it is stored, its times in epoch milliseconds. */
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

/** What begins the choice of rows. */
export const SELECT = `SELECT seq, slot, memory_id, body, key, importance, created_at, valid_at, invalid_at,
  expires_at FROM memories JOIN texts USING (seq) JOIN slots USING (slot)`;

/** @throws TypeError where the key is not that of the text */
export const bodyOf = ({ body, key }: Row): Body =>
  JSON.parse(unseal(new Uint8Array(body), new Uint8Array(key))) as Body;

/** A memory as it is told of. */
export function keptOf(row: Row): Kept {
  const { content, user_id, session_id, tags, metadata } = bodyOf(row);
  // Where it is to be deleted before something else ends it, that is when it ceases to hold.
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
