import type { RegionStatus } from './contract/region.ts';

/** How long a region must be without a fault before it is online again. */
const BASE_STABLE_MS = 60_000;
const MAX_STABLE_MS = 15 * 60_000;
const WINDOW_MS = 10 * 60_000;
const FLIPS_ALLOWED = 3;

/**
 * Flap damping: how often a region went down and came back recently, and how long it must be stable
 * for that.
 */
export interface Damping {
  /**
   * When it went offline or came back, in the last ten minutes; the last one is always included.
   */
  readonly flips: readonly number[];
  readonly stableMs: number;
}

export const NO_FLIPS: Damping = { flips: [], stableMs: BASE_STABLE_MS };

interface Change {
  readonly from: RegionStatus;
  readonly to: RegionStatus;
}

/**
 * More than three flips in ten minutes double the stable time, up to a quarter of an hour; ten
 * minutes without a flip reset it.
 */
export function flipped(damping: Damping, { from, to }: Change, now: number): Damping {
  const wentDown = to === 'offline' && from !== 'offline';
  const cameBack = from === 'offline' && to === 'online';
  if (!wentDown && !cameBack) return damping;
  const recent = damping.flips.filter((at) => now - at < WINDOW_MS);
  const flips = [...recent, now];
  if (!wentDown) return { ...damping, flips };
  const base = recent.length === 0 ? BASE_STABLE_MS : damping.stableMs;
  const stableMs = flips.length > FLIPS_ALLOWED ? Math.min(2 * base, MAX_STABLE_MS) : base;
  return { flips, stableMs };
}
