import { describe, expect, it } from 'vitest';
import {
  type RegionChange,
  shareOf,
  spansOf,
} from '../../../../web/screens/regions/StateTimeline.tsx';

const at = (minute: number) => Date.UTC(2026, 10, 22, 10, minute);
const change = (
  minute: number,
  from: RegionChange['from'],
  to: RegionChange['to'],
  subject = 'tokyo',
): RegionChange => ({
  ...{ seq: minute, subject, from, to, reason: '' },
  time: new Date(at(minute)).toISOString(),
});
const tokyo = {
  region_id: 'tokyo',
  status: 'online',
  created_at: new Date(at(-600)).toISOString(),
} as const;
const hour = { from: at(0), until: at(60) };
const minutes = (spans: ReturnType<typeof spansOf>) =>
  spans.map(({ status, from, until }) => [status, (from - at(0)) / 6e4, (until - at(0)) / 6e4]);

describe('the states of a region over time', () => {
  it('follow each other without a hole, from before the first change to now', () => {
    const changes = [
      change(40, 'offline', 'online'),
      change(35, 'online', 'degraded', 'oregon'),
      change(30, 'degraded', 'offline'),
      change(20, 'online', 'degraded'),
    ];

    expect(minutes(spansOf(tokyo, changes, hour))).toEqual([
      ['online', 0, 20],
      ['degraded', 20, 30],
      ['offline', 30, 40],
      ['online', 40, 60],
    ]);
  });

  it('that ended before the time shown are left out', () => {
    const changes = [change(-5, 'offline', 'online'), change(-10, 'online', 'offline')];

    expect(minutes(spansOf(tokyo, changes, hour))).toEqual([['online', 0, 60]]);
  });

  it('begin when it was created', () => {
    const young = { ...tokyo, created_at: new Date(at(15)).toISOString() };

    expect(minutes(spansOf(young, [], hour))).toEqual([['online', 15, 60]]);
    expect(shareOf(at(15), hour)).toBe(0.25);
  });
});
