import type { ReadingWindow } from '../../api/sensors.ts';
import { moment, oneOf, text, type Values } from '../../url-state/fields.ts';

/** The lengths of the ranges that end now. */
const LENGTHS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Live, the last hour and so on, or between two moments. */
export const RANGES = ['live', 'minute', 'hour', 'day', 'span'] as const;

export const FIELDS = {
  sensor: text('', 63),
  type: text('', 32),
  node: text('', 128),
  range: oneOf('live', RANGES),
  from: moment,
  to: moment,
};
export type SensorsFields = Values<typeof FIELDS>;
export type ChangeSensorsFields = (change: Partial<SensorsFields>) => void;
export type RangeFields = Pick<SensorsFields, 'range' | 'from' | 'to'>;

/** The steps that a chart has room for. */
const STEPS = 180;

/**
 * The time range with its ends on whole steps, so that a step fetches once; undefined while
 * live, and for an empty range.
 */
export function windowOf(fields: RangeFields, now: number): ReadingWindow | undefined {
  const ends = endsOf(fields, now);
  if (!ends || !(ends.from < ends.to)) return undefined;
  const stepMs = Math.max(1, Math.ceil((ends.to - ends.from) / STEPS));
  return {
    from: Math.floor(ends.from / stepMs) * stepMs,
    to: Math.ceil(ends.to / stepMs) * stepMs,
    stepMs,
  };
}

function endsOf({ range, from, to }: RangeFields, now: number) {
  if (range === 'live') return undefined;
  if (range !== 'span') return { from: now - LENGTHS_MS[range], to: now };
  return { from: Date.parse(from), to: to === '' ? now : Date.parse(to) };
}
