import type { RegionStatus } from './contract/region.ts';

/** How long a region has to be without fault before it is online again. */
export const BASE_STABLE_MS = 60_000;
const MOST_STABLE_MS = 15 * 60_000;
const WINDOW_MS = 10 * 60_000;
const FLIPS_ALLOWED = 3;

/** How often a region went away and came back of late, and how long it is made to wait for it. */
export interface Damping {
  /** When it became offline or came back from it, in the last ten minutes; the last one is kept. */
  readonly flips: readonly number[];
  readonly stableMs: number;
}

export const NO_FLIPS: Damping = { flips: [], stableMs: BASE_STABLE_MS };

export interface Change {
  readonly from: RegionStatus;
  readonly to: RegionStatus;
}

/**
 * More than three flips in ten minutes double the time that a region has to be stable, up to a
 * quarter of an hour; ten minutes without a flip take that back.
 */
export function flipped(damping: Damping, { from, to }: Change, now: number): Damping {
  const wentDown = to === 'offline' && from !== 'offline';
  const cameBack = from === 'offline' && to === 'online';
  if (!wentDown && !cameBack) return damping;
  const recent = damping.flips.filter((at) => now - at < WINDOW_MS);
  const flips = [...recent, now];
  if (!wentDown) return { ...damping, flips };
  const base = recent.length === 0 ? BASE_STABLE_MS : damping.stableMs;
  const stableMs = flips.length > FLIPS_ALLOWED ? Math.min(2 * base, MOST_STABLE_MS) : base;
  return { flips, stableMs };
}
