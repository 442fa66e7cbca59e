import { describe, expect, it } from 'vitest';
import type { ReadingSeries } from '../../../../edge/sensors/contract/reading.ts';
import { curvesOf, silenceOf } from '../../../../web/screens/sensors/PastView.tsx';
import { windowOf } from '../../../../web/screens/sensors/sensor-fields.ts';
import { fc } from '../../seeded.ts';

const NOW = Date.parse('2026-11-22T10:00:00.123Z');
const live = { range: 'live', from: '', to: '' } as const;

describe('the time that is looked at', () => {
  it('is none where readings come live, or where it does not begin before it ends', () => {
    const at = '2026-11-22T09:00:00Z';

    expect(windowOf(live, NOW)).toBeUndefined();
    expect(windowOf({ range: 'span', from: '', to: '' }, NOW)).toBeUndefined();
    expect(windowOf({ range: 'span', from: at, to: at }, NOW)).toBeUndefined();
    expect(windowOf({ range: 'span', from: '2027-01-01T00:00:00Z', to: '' }, NOW)).toBeUndefined();
  });

  it('is the last of something up to now, and stays until a step has passed', () => {
    const hour = windowOf({ ...live, range: 'hour' }, NOW)!;

    expect(hour.stepMs).toBe(20_000);
    expect(hour.to - NOW).toBeLessThan(hour.stepMs);
    expect(windowOf({ ...live, range: 'hour' }, hour.to - 1)).toEqual(hour);
    expect(windowOf({ ...live, range: 'hour' }, hour.to + 1)?.from).toBe(hour.from + hour.stepMs);
  });

  it('has a whole number of steps that the platform takes, whatever it is', () => {
    const moment = fc.integer({ min: 0, max: NOW });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        fc.pre(a !== b);
        const [from, to] = [Math.min(a, b), Math.max(a, b)].map((at) => new Date(at).toISOString());
        const window = windowOf({ range: 'span', from: from!, to: to! }, NOW)!;
        const steps = (window.to - window.from) / window.stepMs;

        expect(Number.isInteger(steps)).toBe(true);
        expect(steps).toBeGreaterThan(0);
        expect(steps).toBeLessThanOrEqual(182);
        expect(window.from).toBeLessThanOrEqual(Math.min(a, b));
        expect(window.to).toBeGreaterThanOrEqual(Math.max(a, b));
      }),
    );
  });
});

describe('the curves of a time', () => {
  const point = (second: number, readings: number) => ({
    at: `2026-11-22T10:00:${String(second).padStart(2, '0')}.000Z`,
    readings,
    min: 1,
    mean: 2,
    max: 3,
    on: 4,
    off: 5,
  });
  const series = (points: ReadingSeries['points']): ReadingSeries => ({
    sensor_id: 's',
    unit: 'lx',
    from: '2026-11-22T10:00:00.000Z',
    to: '2026-11-22T10:01:00.000Z',
    step_ms: 1_000,
    readings: points.reduce((sum, { readings }) => sum + readings, 0),
    points,
  });
  const names = { value: 'light', min: 'least', mean: 'mean', max: 'greatest' };
  const named = (of: ReadingSeries) => {
    const { values, spikes } = curvesOf(of, { names, spikes: ['rises', 'falls'] });
    return [values.map(({ name }) => name), spikes.map(({ name }) => name)];
  };

  it('are one where each step has a reading, and three where some have more', () => {
    expect(named(series([point(0, 1), point(9, 1)]))).toEqual([['light'], ['rises', 'falls']]);
    expect(named(series([point(0, 1), point(9, 2)]))[0]).toEqual(['mean', 'least', 'greatest']);
    const { spikes } = curvesOf(series([point(1, 2)]), { names, spikes: ['spikes'] });
    expect(spikes).toEqual([{ name: 'spikes', points: [[Date.parse(point(1, 2).at), 4]] }]);
  });

  it('go on for three of the usual intervals', () => {
    expect(silenceOf(series([point(0, 1), point(5, 1), point(10, 1)]))).toBe(15);
    expect(silenceOf(series([point(0, 100), point(9, 100)]))).toBe(1);
    expect(silenceOf(series([point(0, 1)]))).toBe(0);
    expect(silenceOf(series([]))).toBe(0);
  });
});
