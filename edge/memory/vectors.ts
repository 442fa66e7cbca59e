import {
  ExactVectors,
  type Similar,
  type VectorEntry,
  type VectorSearch,
} from './exact-vectors.ts';
import { TableStore } from '../storage/table-store.ts';

interface Row extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly vector: ArrayBuffer;
  readonly importance: number;
  readonly valid_at: number;
  readonly invalid_at: number | null;
  readonly expires_at: number | null;
}

const SELECT = `SELECT seq, vector, importance, valid_at, invalid_at, expires_at
  FROM memories JOIN slots USING (slot)`;

/**
 * The vectors of memories, loaded from the store at the first search, up to a capacity; see
 * ExactVectors.
 */
export class MemoryVectors extends TableStore {
  readonly #size: number;
  readonly #capacity: number;
  #loaded: ExactVectors | undefined;

  constructor(sql: SqlStorage, size: number, capacity: number) {
    super(sql);
    this.#size = size;
    this.#capacity = capacity;
  }

  /** The number of vectors compared. */
  get count(): number {
    return this.#index().count;
  }

  /** Whether there are more memories than are compared. */
  get isPartial(): boolean {
    if (this.count < this.#capacity) return false;
    const { n } = this.one<{ n: number }>('SELECT count(*) AS n FROM memories');
    return n > this.#capacity;
  }

  /** Updates the vector of a new or changed memory. */
  refresh(seq: number): void {
    if (!this.#loaded) return;
    const row = this.row<Row>(`${SELECT} WHERE seq = ?`, seq);
    if (row) this.#loaded.set(entryOf(row));
  }

  /** Removes the vector of a deleted memory. */
  remove(seq: number): void {
    // Where it was full, another vector may take its place.
    if (this.#loaded?.count === this.#capacity) this.reload();
    else this.#loaded?.remove(seq);
  }

  search(query: Int8Array, wanted: VectorSearch): readonly Similar[] {
    return this.#index().search(query, wanted);
  }

  /** Makes the next search load everything again, such as after a rollback. */
  reload(): void {
    this.#loaded = undefined;
  }

  #index(): ExactVectors {
    if (this.#loaded) return this.#loaded;
    const index = new ExactVectors(this.#size, this.#capacity);
    const rows = this.rows<Row>(
      `${SELECT} ORDER BY importance DESC, seq DESC LIMIT ?`,
      this.#capacity,
    );
    for (const row of rows) index.set(entryOf(row));
    this.#loaded = index;
    return index;
  }
}

const entryOf = (row: Row): VectorEntry => ({
  seq: row.seq,
  vector: new Int8Array(row.vector),
  importance: row.importance,
  validAt: row.valid_at,
  invalidAt: row.invalid_at ?? Infinity,
  expiresAt: row.expires_at ?? Infinity,
});
