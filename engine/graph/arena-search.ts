import type { Tensor } from './tensor.ts';

export interface Lifetime {
  readonly tensor: Tensor;
  /** Index of the first call that touches the tensor. */
  readonly first: number;
  /** Index of the last one. */
  readonly last: number;
}

/** A lifetime and the room it takes. */
export interface Sized extends Lifetime {
  readonly sizeBytes: number;
}

export interface Placement extends Sized {
  readonly offsetBytes: number;
}

interface Placed {
  readonly placements: readonly Placement[];
  readonly arenaBytes: number;
}

/** The most that is live during any one call, and the first call with as much. */
export interface Peak {
  readonly bytes: number;
  readonly call: number;
}

/** An arena that is as little larger than it has to be is good enough. */
const GOOD_ENOUGH = 1.001;
/** Comparisons of two tensors that one search for a smaller arena may take. */
const MAX_WORK = 2e7;
/** Tries with each order, and steps from each. */
const ROUNDS = 6;
const STEPS = 100;

/**
 * Places in which no two tensors that are live in the same call overlap: largest first (greedy by size;
 * Pisarchyk & Lee 2020, section 5). Where that takes more than what is live at once, other orders are tried, and
 * of each the tensors that stuck out come first the next time (Joslin & Clements 1999); then steps from these
 * orders, which are drawn, the same ones each time.
 */
export function smallestArena(sized: readonly Sized[], peak: Peak): Placed {
  const enough = GOOD_ENOUGH * peak.bytes;
  let best = place(sized.toSorted(bySize));
  for (const found of tries(sized, peak)) {
    if (best.arenaBytes <= enough) break;
    if (found.arenaBytes < best.arenaBytes) best = found;
  }
  return best;
}

function* tries(sized: readonly Sized[], peak: Peak): Iterable<Placed> {
  const affordable = MAX_WORK / sized.length ** 2;
  const starts = ordersOf(peak.call).map((by) => sized.toSorted(by));
  for (const start of starts) {
    let order = start;
    for (let round = 0; round < Math.min(ROUNDS, Math.max(1, affordable)); round++) {
      const found = place(order);
      yield found;
      order = stickingOutFirst(order, found, peak.bytes);
    }
  }
  const draw = createDraw();
  for (const start of starts) {
    let [order, size] = [start, Number.POSITIVE_INFINITY];
    for (let step = 0; step < Math.min(STEPS, affordable); step++) {
      const moved = withSomeMoved(order, draw);
      const found = place(moved);
      yield found;
      if (found.arenaBytes <= size) [order, size] = [moved, found.arenaBytes];
    }
  }
}

function stickingOutFirst(order: readonly Sized[], { placements }: Placed, most: number): Sized[] {
  const out = new Set(
    placements.filter((p) => p.offsetBytes + p.sizeBytes > most).map(({ tensor }) => tensor),
  );
  const isOut = ({ tensor }: Sized) => out.has(tensor);
  return [...order.filter(isOut), ...order.filter((life) => !isOut(life))];
}

function withSomeMoved(order: readonly Sized[], draw: (limit: number) => number): Sized[] {
  const moved = [...order];
  for (let left = 1 + draw(3); left > 0; left--) {
    const taken = moved.splice(draw(moved.length), 1);
    moved.splice(draw(moved.length + 1), 0, ...taken);
  }
  return moved;
}

/** Whole numbers from 0 to below a limit, from the linear congruential generator of Numerical Recipes. */
function createDraw(): (limit: number) => number {
  let state = 1;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Order = (a: Sized, b: Sized) => number;

const calls = ({ first, last }: Sized) => last - first;
const bySize: Order = (a, b) => b.sizeBytes - a.sizeBytes || a.first - b.first;
const byCalls: Order = (a, b) => calls(b) - calls(a) || bySize(a, b);
const byTime: Order = (a, b) => a.first - b.first || byCalls(a, b);
const byEnd: Order = (a, b) => b.last - a.last || byCalls(a, b);

/** The tensors that are live at the peak are adjacent at best, so they come first in most orders. */
function ordersOf(call: number): readonly Order[] {
  const rank = ({ first, last }: Sized) => (first <= call && call <= last ? 0 : 1);
  const peakFirst =
    (within: Order, others: Order): Order =>
    (a, b) =>
      rank(a) - rank(b) || (rank(a) === 0 ? within : others)(a, b);
  return [
    bySize,
    peakFirst(byCalls, bySize),
    peakFirst(byCalls, byCalls),
    peakFirst(byTime, byTime),
    peakFirst(bySize, bySize),
    peakFirst(byEnd, byEnd),
    byCalls,
    byTime,
    byEnd,
  ];
}

/** Each in its turn into the tightest gap that fits. */
function place(ordered: readonly Sized[]): Placed {
  const placements: Placement[] = [];
  let arenaBytes = 0;
  for (const life of ordered) {
    const neighbours = placements.filter((p) => p.first <= life.last && life.first <= p.last);
    const offsetBytes = tightestGap(neighbours, life.sizeBytes);
    placements.push({ ...life, offsetBytes });
    arenaBytes = Math.max(arenaBytes, offsetBytes + life.sizeBytes);
  }
  return { placements, arenaBytes };
}

/** The offset of the smallest free gap that holds `size`, or the end of everything placed. */
function tightestGap(neighbours: readonly Placement[], size: number): number {
  let end = 0;
  let best: { offset: number; gap: number } | undefined;
  for (const taken of neighbours.toSorted((a, b) => a.offsetBytes - b.offsetBytes)) {
    const gap = taken.offsetBytes - end;
    if (gap >= size && (!best || gap < best.gap)) best = { offset: end, gap };
    end = Math.max(end, taken.offsetBytes + taken.sizeBytes);
  }
  return best?.offset ?? end;
}
