import type { RegionRecord, RegionStatus } from '../../../edge/geo/contract/region.ts';
import type { RegionChange } from './region-changes.ts';

/** Times in milliseconds since 1970. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** How long a region was in one state, as far as that lies within the time that is shown. */
export interface StateSpan extends TimeSpan {
  readonly status: RegionStatus;
}

type Shown = Pick<RegionRecord, 'region_id' | 'status' | 'created_at'>;

/**
 * The states of a region one after the other, without a hole, from when it was created.
 *
 * @param changes those of all regions, the latest first
 */
export function spansOf(
  { region_id: id, status, created_at: created }: Shown,
  changes: readonly RegionChange[],
  shown: TimeSpan,
): readonly StateSpan[] {
  const own = changes.filter(({ subject }) => subject === id).toReversed();
  const ends = [...own.map(({ time }) => Date.parse(time)), shown.until];
  const states = [own[0]?.from ?? status, ...own.map(({ to }) => to)];
  return states
    .map((state, i) => ({
      status: state,
      from: Math.max(shown.from, ends[i - 1] ?? Date.parse(created)),
      until: Math.min(shown.until, ends[i] ?? shown.until),
    }))
    .filter(({ from, until }) => until > from);
}

/** The share of a time, from 0 to 1, at which a moment lies. */
export const shareOf = (moment: number, { from, until }: TimeSpan): number =>
  (moment - from) / (until - from);
