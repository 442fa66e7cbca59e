import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodingFor, SENSOR_TYPES } from '../../edge/sensors/contract/encoding.ts';
import { NewMemory } from '../../edge/memory/contract/memory.ts';
import { admitReadings } from '../../edge/sensors/admit-readings.ts';
import { addToWindows, memoryOfWindow, type ReadingWindow } from '../../edge/sensors/window.ts';

describe('the request for an encoding', () => {
  it('has an encoding with a range, or none', () => {
    const number = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), {
      nil: undefined,
    });
    const asked = fc.record({
      code: fc.option(fc.constantFrom('rate' as const, 'latency' as const, 'delta' as const), {
        nil: undefined,
      }),
      low: number,
      high: number,
    });
    const types = fc.constantFrom(...Object.keys(SENSOR_TYPES), 'unknown', 'constructor');
    fc.assert(
      fc.property(types, asked, (type, given) => {
        const encoding = encodingFor(type, given);
        fc.pre(encoding !== undefined);
        expect(encoding.low).toBeLessThan(encoding.high);
        expect(encoding.threshold).toBeGreaterThan(0);
        expect(encoding.steps).toBe(encoding.code === 'delta' ? 1 : 16);
      }),
    );
  });

  it('is completed by what is usual for the type', () => {
    expect(encodingFor('temperature', { threshold: 2 })).toEqual({
      ...SENSOR_TYPES['temperature'],
      threshold: 2,
      steps: 1,
    });
    expect(encodingFor('taste')).toMatchObject({ code: 'delta', threshold: 1 });
    expect(encodingFor('taste', { code: 'latency', low: 0, high: 5 })).toMatchObject({ steps: 16 });
  });
});

const NOW = Date.parse('2026-11-22T10:00:00Z');
const DAY_MS = 86_400_000;

describe('the readings that are taken', () => {
  const readings = fc.array(
    fc.record({
      value: fc.double({ noNaN: true }),
      ago: fc.option(fc.integer({ min: -600_000, max: 2 * DAY_MS }), { nil: undefined }),
    }),
    { maxLength: 50 },
  );

  it('are later than all before, none is lost and none is invented', () => {
    const last = fc.option(fc.integer({ min: NOW - DAY_MS, max: NOW }), { nil: undefined });
    fc.assert(
      fc.property(readings, last, (drawn, lastAt) => {
        const given = drawn.map(({ value, ago }) => ({
          value,
          at: ago === undefined ? undefined : new Date(NOW - ago).toISOString(),
        }));
        const admission = { now: NOW, lastAt, rateHz: 20, retentionMs: DAY_MS };

        const { readings: taken, rejected, faults } = admitReadings(given, admission);

        expect(taken.length + rejected).toBe(given.length);
        expect(faults).toHaveLength(rejected);
        const times = [lastAt ?? NOW - DAY_MS, ...taken.map(({ at }) => at)];
        expect(times.slice(1).every((time, i) => time > times[i]!)).toBe(true);
        expect(times.every((time) => time <= NOW + 300_000)).toBe(true);
        const refused = new Set(faults.map(({ index }) => index));
        expect(taken.map(({ value }) => value)).toEqual(
          given.filter((_, i) => !refused.has(i)).map(({ value }) => value),
        );
      }),
    );
  });
});

describe('the windows of readings', () => {
  const spikes = { on: 1, off: 0 };
  const series = fc
    .array(
      fc.record({
        gap: fc.integer({ min: 1, max: 5_000 }),
        value: fc.double({ noNaN: true, noDefaultInfinity: true }),
      }),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    .map((drawn) => {
      let at = NOW;
      return drawn.map(({ gap, value }) => ({ at: (at += gap), value, ...spikes }));
    });

  it('hold every reading once, whatever requests brought them', () => {
    fc.assert(
      fc.property(series, fc.nat(60), (readings, cut) => {
        const first = addToWindows(undefined, 10_000, readings.slice(0, cut));
        const second = addToWindows(first.open, 10_000, readings.slice(cut));
        const whole = addToWindows(undefined, 10_000, readings);

        expect([...first.closed, ...second.closed]).toEqual(whole.closed);
        expect(second.open).toEqual(whole.open);
        const all = [...whole.closed, whole.open!];
        expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(readings.length);
        for (const window of all) {
          const inside = readings.filter(({ at }) => at >= window.start && at < window.end);
          const values = inside.map(({ value }) => value);
          expect(window).toMatchObject({
            count: inside.length,
            lowest: Math.min(...values),
            highest: Math.max(...values),
            spikes: inside.length,
          });
        }
      }),
    );
  });

  it('are summarized in a sentence that can be stored as a memory, whatever was measured', () => {
    const words = fc.string({ minLength: 1, maxLength: 32, unit: 'grapheme' });
    fc.assert(
      fc.property(series, words, (readings, unit) => {
        const { closed, open } = addToWindows(undefined, 10_000, readings);
        const sensor = {
          sensor_id: 'a'.repeat(63),
          type: 'x'.repeat(32),
          unit,
          namespace: 'sensors',
          node_id: unit,
        };

        for (const window of [...closed, open].filter((one): one is ReadingWindow => !!one)) {
          const memory = memoryOfWindow(sensor, 'delta', window);
          const { success, error } = NewMemory.safeParse(memory);
          expect([success, error]).toEqual([true, undefined]);
        }
      }),
    );
  });
});
