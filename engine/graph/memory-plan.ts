import { byteLength, type Tensor } from './tensor.ts';

/** Every tensor starts at a multiple of this: WebGPU binds storage at 256-byte offsets. */
const ALIGNMENT_BYTES = 256;

export interface Lifetime {
  readonly tensor: Tensor;
  /** Index of the first call that touches the tensor. */
  readonly first: number;
  /** Index of the last one. */
  readonly last: number;
}

export interface Placement extends Lifetime {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

export interface ArenaPlan {
  readonly placements: readonly Placement[];
  /** Size of the arena. */
  readonly arenaBytes: number;
  /** The most that is live during any one call: no plan can be smaller. */
  readonly peakBytes: number;
  /** What the tensors would take without sharing. */
  readonly sumBytes: number;
}

export function alignOffset(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

/**
 * Gives every tensor an offset such that no two that are live in the same call overlap. Largest
 * first, each into the tightest gap that fits (greedy by size; Pisarchyk & Lee 2020, section 5).
 */
export function planArena(lifetimes: readonly Lifetime[]): ArenaPlan {
  const bySize = lifetimes
    .map((life) => ({ ...life, sizeBytes: alignOffset(byteLength(life.tensor)) }))
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes || a.first - b.first);
  const placed: Placement[] = [];
  for (const life of bySize) {
    const neighbours = placed.filter((p) => p.first <= life.last && life.first <= p.last);
    placed.push({ ...life, offsetBytes: tightestGap(neighbours, life.sizeBytes) });
  }
  return {
    placements: placed.toSorted((a, b) => a.first - b.first || a.offsetBytes - b.offsetBytes),
    arenaBytes: Math.max(0, ...placed.map((p) => p.offsetBytes + p.sizeBytes)),
    peakBytes: peakOf(bySize),
    sumBytes: bySize.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
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

function peakOf(lives: readonly { first: number; last: number; sizeBytes: number }[]): number {
  const calls = Math.max(-1, ...lives.map((life) => life.last)) + 1;
  const change = new Float64Array(calls + 1);
  for (const { first, last, sizeBytes } of lives) {
    change[first] = (change[first] ?? 0) + sizeBytes;
    change[last + 1] = (change[last + 1] ?? 0) - sizeBytes;
  }
  let live = 0;
  let peak = 0;
  for (const delta of change) {
    live += delta;
    peak = Math.max(peak, live);
  }
  return peak;
}
