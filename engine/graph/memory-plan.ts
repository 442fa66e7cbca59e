import {
  type Lifetime,
  type Peak,
  type Placement,
  type Sized,
  smallestArena,
} from './arena-search.ts';
import { byteLength } from './tensor.ts';

export type { Lifetime } from './arena-search.ts';

/** Every tensor starts at a multiple of this: WebGPU binds storage at 256-byte offsets. */
const ALIGNMENT_BYTES = 256;

export interface ArenaPlan {
  readonly placements: readonly Placement[];
  /** Size of the arena. */
  readonly arenaBytes: number;
  /** The most that is live during any one call: no plan can be smaller. */
  readonly peakBytes: number;
  /** Size of the tensors without sharing. */
  readonly sumBytes: number;
}

export function alignOffset(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

/** Gives every tensor an offset such that no two that are live in the same call overlap. */
export function planArena(lifetimes: readonly Lifetime[]): ArenaPlan {
  const sized = lifetimes.map((life) => ({
    ...life,
    sizeBytes: alignOffset(byteLength(life.tensor)),
  }));
  const peak = peakOf(sized);
  const { placements, arenaBytes } = smallestArena(sized, peak);
  return {
    placements: placements.toSorted((a, b) => a.first - b.first || a.offsetBytes - b.offsetBytes),
    arenaBytes,
    peakBytes: peak.bytes,
    sumBytes: sized.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

function peakOf(lives: readonly Sized[]): Peak {
  const change = new Float64Array(lives.reduce((most, { last }) => Math.max(most, last), -1) + 2);
  for (const { first, last, sizeBytes } of lives) {
    change[first] = (change[first] ?? 0) + sizeBytes;
    change[last + 1] = (change[last + 1] ?? 0) - sizeBytes;
  }
  let live = 0;
  let peak = { bytes: 0, call: 0 };
  for (const [call, delta] of change.entries()) {
    live += delta;
    if (live > peak.bytes) peak = { bytes: live, call };
  }
  return peak;
}
