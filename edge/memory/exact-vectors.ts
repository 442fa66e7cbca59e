/** The initial number of slots. */
const FIRST_ROOM = 256;

/** A vector with the attributes it is filtered by. */
export interface VectorEntry {
  readonly seq: number;
  readonly vector: Int8Array;
  readonly importance: number;
  /** Epoch milliseconds; Infinity where nothing ends it. */
  readonly validAt: number;
  readonly invalidAt: number;
  readonly expiresAt: number;
}

export interface Similar {
  readonly seq: number;
  /** The cosine, from -1 to 1. */
  readonly similarity: number;
}

export interface VectorSearch {
  readonly limit: number;
  /** The minimum similarity. */
  readonly floor: number;
  /** Epoch milliseconds: a match holds at `asOf` and has not expired at `now`. */
  readonly asOf: number;
  readonly now: number;
  /** The candidates; all where it is left out. */
  readonly among?: ReadonlySet<number> | undefined;
}

/**
 * Exhaustive search by cosine. Up to `capacity` nothing is missed; beyond it the more important
 * vectors stay, and of equals the latest stored.
 *
 * Layout: `bytes` is [room, size], row by row; a slot is free where its number is -1.
 */
export class ExactVectors {
  readonly #size: number;
  readonly #capacity: number;
  readonly #slots = new Map<number, number>();
  readonly #free: number[] = [];
  /** Slots from here on were never used. */
  #end = 0;
  /** The number of allocated slots. */
  #room = 0;
  #bytes = new Int8Array();
  #norms = new Float32Array();
  #seqs = new Float64Array();
  #importance = new Float64Array();
  #validAt = new Float64Array();
  #invalidAt = new Float64Array();
  #expiresAt = new Float64Array();

  constructor(size: number, capacity: number) {
    this.#size = size;
    this.#capacity = capacity;
  }

  get count(): number {
    return this.#slots.size;
  }

  /** Adds a vector, or updates one; where it is full, the least important one is replaced. */
  set(entry: VectorEntry): void {
    const known = this.#slots.get(entry.seq);
    const slot = known ?? this.#slotFor(entry);
    if (slot === undefined) return;
    this.#slots.set(entry.seq, slot);
    this.#bytes.set(entry.vector, slot * this.#size);
    this.#norms[slot] = Math.sqrt(entry.vector.reduce((sum, x) => sum + x * x, 0));
    this.#seqs[slot] = entry.seq;
    this.#importance[slot] = entry.importance;
    this.#validAt[slot] = entry.validAt;
    this.#invalidAt[slot] = entry.invalidAt;
    this.#expiresAt[slot] = entry.expiresAt;
  }

  remove(seq: number): void {
    const slot = this.#slots.get(seq);
    if (slot === undefined) return;
    this.#slots.delete(seq);
    this.#seqs[slot] = -1;
    this.#bytes.fill(0, slot * this.#size, (slot + 1) * this.#size);
    this.#free.push(slot);
  }

  /** The most similar, the nearest first; of equals, the latest stored. */
  search(query: Int8Array, wanted: VectorSearch): readonly Similar[] {
    const norm = Math.sqrt(query.reduce((sum, x) => sum + x * x, 0));
    if (norm === 0) return [];
    const best: Similar[] = [];
    for (let slot = 0; slot < this.#end; slot++) {
      if (!this.#isMeant(slot, wanted)) continue;
      const similarity = this.#product(query, slot) / (norm * (this.#norms[slot] ?? 0));
      // An empty vector has no direction: NaN fails every comparison.
      if (!(similarity >= wanted.floor)) continue;
      insert(best, { seq: this.#seqs[slot] ?? -1, similarity }, wanted.limit);
    }
    return best;
  }

  #isMeant(slot: number, { asOf, now, among }: VectorSearch): boolean {
    const seq = this.#seqs[slot] ?? -1;
    if (seq < 0 || (among && !among.has(seq))) return false;
    const [validAt = 0, invalidAt = 0] = [this.#validAt[slot], this.#invalidAt[slot]];
    return validAt <= asOf && asOf < invalidAt && now < (this.#expiresAt[slot] ?? 0);
  }

  /**
   * Both have `size` elements; asserting that, and staying in integers with `| 0`, halves the time.
   */
  #product(query: Int8Array, slot: number): number {
    const bytes = this.#bytes;
    const size = this.#size;
    const start = slot * size;
    let sum = 0;
    for (let i = 0; i < size; i++) {
      sum = (sum + (query[i] as number) * (bytes[start + i] as number)) | 0;
    }
    return sum;
  }

  #slotFor({ seq, importance }: VectorEntry): number | undefined {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#end < this.#capacity) {
      if (this.#end === this.#room) this.#grow();
      return this.#end++;
    }
    const least = this.#leastSlot();
    const leastSeq = this.#seqs[least] ?? -1;
    const leastImportance = this.#importance[least] ?? 0;
    const isLess = importance < leastImportance;
    if (isLess || (importance === leastImportance && seq < leastSeq)) return undefined;
    this.#slots.delete(leastSeq);
    return least;
  }

  /** Doubling makes the amortised cost constant. */
  #grow(): void {
    this.#room = Math.min(this.#capacity, Math.max(FIRST_ROOM, 2 * this.#room));
    const wider = (numbers: Float64Array<ArrayBuffer>) =>
      copied(numbers, new Float64Array(this.#room));
    this.#bytes = copied(this.#bytes, new Int8Array(this.#size * this.#room));
    this.#norms = copied(this.#norms, new Float32Array(this.#room));
    this.#seqs = wider(this.#seqs);
    this.#importance = wider(this.#importance);
    this.#validAt = wider(this.#validAt);
    this.#invalidAt = wider(this.#invalidAt);
    this.#expiresAt = wider(this.#expiresAt);
  }

  #leastSlot(): number {
    let least = 0;
    for (let slot = 1; slot < this.#end; slot++) {
      const more = (this.#importance[slot] ?? 0) - (this.#importance[least] ?? 0);
      const isOlder = (this.#seqs[slot] ?? 0) < (this.#seqs[least] ?? 0);
      if (more < 0 || (more === 0 && isOlder)) least = slot;
    }
    return least;
  }
}

type Numbers = Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

function copied<T extends Numbers>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Inserts into a sorted list of at most `limit` elements. */
function insert(best: Similar[], found: Similar, limit: number): void {
  const last = best.at(-1);
  if (best.length >= limit && last && compare(found, last) >= 0) return;
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = best[middle];
    if (other && compare(found, other) > 0) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, found);
  if (best.length > limit) best.pop();
}

const compare = (a: Similar, b: Similar): number => b.similarity - a.similarity || b.seq - a.seq;
