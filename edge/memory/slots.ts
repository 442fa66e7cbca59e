import { EMBEDDING_SIZE } from '../../engine/memory.ts';
import { KEY_BYTES, newKey } from './sealing.ts';

/** Slots that are added at once. */
const BLOCK = 64;

/**
 * Keys and vectors of memories, in rows that are never moved: all have one size, are added empty at
 * the end, and are overwritten where they lie. So what was in one is gone once another is in it, or
 * nothing; see docs/design/memory.md.
 */
export class MemorySlots {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Writes a vector and a new key into a free slot. */
  take(vector: Int8Array): { readonly slot: number; readonly key: Uint8Array } {
    const slot = this.#free() ?? this.#extend();
    this.#sql.exec('DELETE FROM free_slots WHERE slot = ?', slot);
    const key = newKey();
    this.#write(slot, key, Uint8Array.from(vector));
    return { slot, key };
  }

  /** Overwrites the key of a slot with a new one: what was sealed with the old one is erased. */
  rekey(slot: number): Uint8Array {
    const key = newKey();
    this.#sql.exec('UPDATE slots SET key = ? WHERE slot = ?', key, slot);
    return key;
  }

  clear(slot: number): void {
    this.#write(slot, new Uint8Array(KEY_BYTES), new Uint8Array(EMBEDDING_SIZE));
    this.#sql.exec('INSERT INTO free_slots (slot) VALUES (?)', slot);
  }

  #write(slot: number, key: Uint8Array, vector: Uint8Array): void {
    this.#sql.exec('UPDATE slots SET key = ?, vector = ? WHERE slot = ?', key, vector, slot);
  }

  #free(): number | undefined {
    const rows = this.#sql.exec<{ slot: number }>('SELECT slot FROM free_slots LIMIT 1');
    return rows.toArray()[0]?.slot;
  }

  /** Adds empty slots and returns the first. The tree has its height before anything is in it. */
  #extend(): number {
    const { last } = this.#sql
      .exec<{ last: number }>('SELECT coalesce(max(slot), 0) AS last FROM slots')
      .one();
    for (let slot = last + 1; slot <= last + BLOCK; slot++) {
      this.#sql.exec(
        'INSERT INTO slots (slot, key, vector) VALUES (?, zeroblob(?), zeroblob(?))',
        slot,
        KEY_BYTES,
        EMBEDDING_SIZE,
      );
      this.#sql.exec('INSERT INTO free_slots (slot) VALUES (?)', slot);
    }
    return last + 1;
  }
}
