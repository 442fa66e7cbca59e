import type { Merge } from './bpe-model.ts';
import { pairKey, type PairKey, PairQueue } from './pair-queue.ts';

interface Ranked {
  readonly rank: number;
  readonly merged: number;
}
export type Ranks = ReadonlyMap<PairKey, Ranked>;

/** Merges by their pair, the earliest learned with the lowest rank. */
export function ranksOf(merges: readonly Merge[]): Ranks {
  return new Map(
    merges.map(({ left, right, merged }, rank) => [pairKey(left, right), { rank, merged }]),
  );
}

/** Pieces up to this length are searched for the next merge, which is faster than a queue. */
const SHORT = 64;

/** Merges pairs of `ids` in place, of the lowest rank first and of equal ones the leftmost. */
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

/** The same in time that grows little faster than the piece, which others do not bound. */
function mergeLong(ids: number[], ranks: Ranks): void {
  const count = ids.length;
  const after = Int32Array.from({ length: count }, (_, i) => i + 1);
  const before = Int32Array.from({ length: count }, (_, i) => i - 1);
  const queue = new PairQueue();
  const rankedAt = (at: number): Ranked | undefined => {
    const next = after[at] ?? count;
    if (at < 0 || next >= count) return undefined;
    return ranks.get(pairKey(ids[at] ?? 0, ids[next] ?? 0));
  };
  const offer = (at: number) => {
    const found = rankedAt(at);
    if (found) queue.push(at, -found.rank);
  };
  for (let at = 0; at < count; at++) offer(at);
  for (let next = queue.pop(); next; next = queue.pop()) {
    const { key: at, count: order } = next;
    // What was offered may have been merged since.
    const found = ids[at] === GONE ? undefined : rankedAt(at);
    if (!found || -found.rank !== order) continue;
    const right = after[at] ?? count;
    ids[at] = found.merged;
    ids[right] = GONE;
    after[at] = after[right] ?? count;
    const behind = after[at] ?? count;
    if (behind < count) before[behind] = at;
    offer(before[at] ?? GONE);
    offer(at);
  }
  let kept = 0;
  for (const id of ids) if (id !== GONE) ids[kept++] = id;
  ids.length = kept;
}
