import type { Merge } from './bpe-model.ts';
import { pairKey, type PairKey, PairQueue } from './pair-queue.ts';

interface Ranked {
  readonly rank: number;
  readonly merged: number;
}
type Ranks = ReadonlyMap<PairKey, Ranked>;

/** Merges by their pair, the earliest learned with the lowest rank. */
export function ranksOf(merges: readonly Merge[]): Ranks {
  return new Map(
    merges.map(({ left, right, merged }, rank) => [pairKey(left, right), { rank, merged }]),
  );
}

/** Up to this length a linear search for the next merge is faster than a queue. */
const SHORT = 64;

/** Merges pairs of `ids` in place, the lowest rank first and among equals the leftmost. */
export function mergeAll(ids: number[], ranks: Ranks): void {
  if (ids.length <= SHORT) mergeShort(ids, ranks);
  else mergeLong(ids, ranks);
}

function mergeShort(ids: number[], ranks: Ranks): void {
  for (;;) {
    let best: Ranked | undefined;
    let at = 0;
    for (let i = 1; i < ids.length; i++) {
      const found = ranks.get(pairKey(ids[i - 1] ?? 0, ids[i] ?? 0));
      if (found && (!best || found.rank < best.rank)) {
        best = found;
        at = i - 1;
      }
    }
    if (!best) return;
    ids.splice(at, 2, best.merged);
  }
}

const GONE = -1;

/** The same in O(n log n), as the length of pieces of foreign patterns is unbounded. */
function mergeLong(ids: number[], ranks: Ranks): void {
  const chain = new Chain(ids, ranks);
  const queue = new PairQueue();
  const offer = (at: number) => {
    const found = chain.rankedAt(at);
    if (found) queue.push(at, -found.rank);
  };
  for (let at = 0; at < ids.length; at++) offer(at);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const found = chain.rankedAt(next.key);
    // The pair may have been merged meanwhile.
    if (!found || -found.rank !== next.count) continue;
    offer(chain.merge(next.key, found.merged));
    offer(next.key);
  }
  let count = 0;
  for (const id of ids) if (id !== GONE) ids[count++] = id;
  ids.length = count;
}

/** Ids of a piece as a linked list, without those that were merged away. */
class Chain {
  readonly #ids: number[];
  readonly #ranks: Ranks;
  readonly #after: Int32Array;
  readonly #before: Int32Array;

  constructor(ids: number[], ranks: Ranks) {
    this.#ids = ids;
    this.#ranks = ranks;
    // One more entry, after the last.
    this.#after = Int32Array.from({ length: ids.length + 1 }, (_, i) => i + 1);
    this.#before = Int32Array.from({ length: ids.length + 1 }, (_, i) => i - 1);
  }

  /** The merge of the id at an index with its successor. */
  rankedAt(at: number): Ranked | undefined {
    const left = this.#ids[at] ?? GONE;
    const right = this.#ids[this.#after[at] ?? GONE] ?? GONE;
    return left === GONE || right === GONE ? undefined : this.#ranks.get(pairKey(left, right));
  }

  /** Replaces a pair by the merged id; returns the index of its predecessor. */
  merge(at: number, merged: number): number {
    const right = this.#after[at] ?? GONE;
    const behind = this.#after[right] ?? GONE;
    this.#ids[at] = merged;
    this.#ids[right] = GONE;
    this.#after[at] = behind;
    this.#before[behind] = at;
    return this.#before[at] ?? GONE;
  }
}
