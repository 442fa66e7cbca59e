import { unseal } from './sealing.ts';
import type { Kept } from './results.ts';

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
