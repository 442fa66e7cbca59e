import { ulid } from '../http/ulid.ts';
import type { CausalStatements } from './causes.ts';
import type { NewEntry, StoreResult } from './records.ts';
import type { MemoryStore, Times } from './store.ts';
import type { MemoryText } from './text-index.ts';
import type { MemoryVectors } from './vectors.ts';

interface Parts {
  readonly store: MemoryStore;
  readonly text: MemoryText;
  readonly vectors: MemoryVectors;
  readonly causes: CausalStatements;
}

/** Writes and deletes memories in all tables in one transaction. */
export class MemoryWriter {
  readonly #parts: Parts;
  readonly #transact: <T>(write: () => T) => T;

  constructor(parts: Parts, transact: <T>(write: () => T) => T) {
    this.#parts = parts;
    this.#transact = transact;
  }

  store(entries: readonly NewEntry[], now: number): readonly StoreResult[] {
    return this.#all(() => entries.map((entry) => this.#storeOne(entry, now)));
  }

  /** Rebuilds the text index from the texts. */
  indexAll(): void {
    const { store, text } = this.#parts;
    for (const seq of store.allSeqs()) text.add(seq, store.contentOf(seq));
  }

  remove(seqs: readonly number[]): void {
    this.#all(() => {
      for (const seq of seqs) this.#removeOne(seq);
    });
  }

  #all<T>(write: () => T): T {
    try {
      return this.#transact(write);
    } catch (error) {
      this.#parts.vectors.reload();
      throw error;
    }
  }

  #storeOne(entry: NewEntry, now: number): StoreResult {
    const { store, text, vectors, causes } = this.#parts;
    const validAt = Math.min(entry.occurredAt ?? now, now);
    const expiresAt = entry.ttlS === null ? null : now + entry.ttlS * 1000;
    const times: Times = { validAt, expiresAt };
    const known = store.sameAs(entry, now);
    const replaced = entry.replaces.filter((memoryId) => memoryId !== known?.memory_id);
    for (const seq of store.invalidate(replaced, validAt)) vectors.refresh(seq);
    if (known) {
      store.reinforce(known.seq, entry, times);
      vectors.refresh(known.seq);
      const createdAt = Date.parse(known.created_at);
      return { memoryId: known.memory_id, createdAt, deduplicated: true };
    }
    const memoryId = `mem_${ulid(now)}`;
    const seq = store.add(memoryId, entry, now, times);
    text.add(seq, entry.content);
    vectors.refresh(seq);
    causes.add(seq, entry.content, entry.findings);
    return { memoryId, createdAt: now, deduplicated: false };
  }

  #removeOne(seq: number): void {
    const { store, text, vectors, causes } = this.#parts;
    text.remove(seq, store.contentOf(seq));
    causes.remove(seq);
    vectors.remove(seq);
    store.remove(seq);
  }
}
