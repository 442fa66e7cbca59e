import { sessionKey, tagKey, userKey } from './content-key.ts';
import type { Filters } from './results.ts';

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
