/** Two neighbouring tokens as one number, in the order of the first and then the second. */
export type PairKey = number;

/** Tokens that a key has room for. */
export const MAX_TOKENS = 1 << 20;

export const pairKey = (left: number, right: number): PairKey => left * MAX_TOKENS + right;
export const leftOf = (key: PairKey) => Math.floor(key / MAX_TOKENS);
export const rightOf = (key: PairKey) => key % MAX_TOKENS;

/** A binary heap of pairs: the most frequent first, among equals the lowest key. */
export class PairQueue {
  readonly #counts: number[] = [];
  readonly #keys: PairKey[] = [];

  push(key: PairKey, count: number): void {
    let at = this.#keys.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(key, count, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#keys[at] = key;
    this.#counts[at] = count;
  }

  pop(): { key: PairKey; count: number } | undefined {
    const [key] = this.#keys;
    const [count] = this.#counts;
    const lastKey = this.#keys.pop();
    const lastCount = this.#counts.pop();
    if (key === undefined || count === undefined) return undefined;
    if (lastKey !== undefined && lastCount !== undefined && this.#keys.length > 0) {
      this.#sink(lastKey, lastCount);
    }
    return { key, count };
  }

  /** Puts a pair in at the top. */
  #sink(key: PairKey, count: number): void {
    const size = this.#keys.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isBefore(this.#key(child + 1), this.#count(child + 1), child)) {
        child++;
      }
      if (this.#isBefore(key, count, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#keys[at] = key;
    this.#counts[at] = count;
  }

  #isBefore(key: PairKey, count: number, other: number): boolean {
    const otherCount = this.#count(other);
    return count === otherCount ? key < this.#key(other) : count > otherCount;
  }

  #move(from: number, to: number): void {
    this.#keys[to] = this.#key(from);
    this.#counts[to] = this.#count(from);
  }

  #key(at: number): PairKey {
    return this.#keys[at] ?? 0;
  }

  #count(at: number): number {
    return this.#counts[at] ?? 0;
  }
}
