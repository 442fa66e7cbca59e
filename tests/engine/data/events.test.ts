import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dropEvents,
  flipEvents,
  jitterTimes,
  shiftEvents,
} from '../../../engine/data/events/augment-events.ts';
import { type BinningRule, binEvents } from '../../../engine/data/events/bin-events.ts';
import { eventExamples } from '../../../engine/data/events/event-examples.ts';
import { type EventList, eventList } from '../../../engine/data/events/event-list.ts';
import { createDraws } from '../../../engine/data/draws.ts';
import { emptyBatch, fillAltered, fillBatch } from '../../../engine/data/examples.ts';
import { keyOf } from '../../../engine/random/philox.ts';
import { rowsOf } from './event-files.ts';

const draws = (example = 0, epoch = 0) => createDraws(keyOf(7), [example, epoch]);

const columns = fc
  .array(
    fc.record({
      t: fc.oneof(fc.nat(100_000), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
      x: fc.nat(16),
      y: fc.nat(12),
      p: fc.nat(1),
    }),
    { maxLength: 65 },
  )
  .map((rows) => ({
    t: rows.map(({ t }) => t),
    x: rows.map(({ x }) => x),
    y: rows.map(({ y }) => y),
    p: rows.map(({ p }) => p),
    width: 17,
    height: 13,
  }));

describe('an event list', () => {
  it('is sorted by time, and events of one time stay in their order', () => {
    fc.assert(
      fc.property(columns, (given) => {
        const rows = given.t.map((t, i) => [t, given.x[i], given.y[i], given.p[i]]);

        // Sorting of arrays is stable.
        expect(rowsOf(eventList(given))).toEqual(rows.toSorted(([a], [b]) => a! - b!));
      }),
    );
  });

  it('has the smallest sensor that its events fit, and no rows where there are none', () => {
    expect(eventList({ t: [5], x: [699] })).toMatchObject({ width: 700, height: 1 });
    expect([...eventList({ t: [5], x: [699] }).p]).toEqual([1]);
    expect(eventList({ t: [], x: [] })).toMatchObject({ width: 1, height: 1 });
  });

  it('counts from its first event where times do not fit 32 bits', () => {
    const events = eventList({ t: [2 ** 40 + 3, 2 ** 40], x: [1, 2] });

    expect([...events.t]).toEqual([0, 3]);
    expect(events.start).toBe(2 ** 40);
  });

  it.each([
    [{ t: [1, 2], x: [1] }, 'events: at column x there are 1 values, expected 2, as many as in t'],
    [
      { t: [1], x: [-1] },
      'events: at x[0] the value is -1, expected a whole number from 0 to 65535',
    ],
    [{ t: [0.5], x: [1] }, 'events: at t[0] the value is 0.5'],
    [{ t: [Number.NaN], x: [1] }, 'events: at t[0] the value is NaN'],
    [
      { t: [1], x: [1], p: [2] },
      'events: at p[0] the value is 2, expected a whole number from 0 to 1',
    ],
    [
      { t: [1], x: [9], width: 9 },
      'events: at x[0] the value is 9, expected a whole number from 0 to 8',
    ],
    [{ t: [1], x: [1], width: 0 }, 'the value is 1, expected a whole number from 0 to -1'],
    [{ t: [0, 2 ** 33], x: [1, 1] }, 'they span 2.4 hours, expected at most 71 minutes'],
  ])('of %j is refused', (given, message) => {
    expect(() => eventList(given)).toThrow(
      expect.objectContaining({
        code: 'signal-invalid',
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe('binning', () => {
  const events = eventList({
    t: [100, 199, 200, 250, 399],
    x: [0, 1, 1, 1, 4],
    y: [0, 0, 0, 0, 2],
    p: [1, 0, 1, 1, 0],
    width: 5,
    height: 3,
  });

  it('counts events in windows from the first one on, the polarities in channels', () => {
    const { shape, data } = binEvents(events, { window: 100 });

    expect(shape).toEqual([3, 2, 3, 5]);
    const found = [...data.entries()].filter(([, n]) => n > 0);
    // ((step * 2 + polarity) * 3 + y) * 5 + x
    expect(found).toEqual([
      [1, 1],
      [15, 1],
      [46, 2],
      [(2 * 2 * 3 + 2) * 5 + 4, 1],
    ]);
  });

  it('marks bins instead of counting, merges polarities and pixels', () => {
    const { shape, data } = binEvents(events, {
      window: 100,
      polarity: 'merged',
      value: 'binary',
      downsample: 2,
    });

    expect(shape).toEqual([3, 1, 2, 3]);
    expect([...data]).toEqual([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('cuts or fills up to the steps that are asked for', () => {
    expect(binEvents(events, { window: 100, steps: 1 }).data.reduce((a, b) => a + b)).toBe(2);
    expect(binEvents(events, { window: 100, steps: 9 }).shape[0]).toBe(9);
  });

  it('keeps every event in equal bins, the last event in the last bin', () => {
    fc.assert(
      fc.property(
        columns,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        (given, steps, downsample) => {
          const list = eventList(given);
          const { shape, data } = binEvents(list, { steps, downsample });
          const perStep = Array.from({ length: steps }, (_, i) =>
            data
              .subarray((i * data.length) / steps, ((i + 1) * data.length) / steps)
              .reduce((a, b) => a + b, 0),
          );

          expect(shape).toEqual([steps, 2, Math.ceil(13 / downsample), Math.ceil(17 / downsample)]);
          expect(perStep.reduce((a, b) => a + b)).toBe(given.t.length);
          const last = list.t.at(-1) === list.t[0] ? perStep[0]! : perStep.at(-1)!;
          expect(last > 0).toBe(given.t.length > 0);
        },
      ),
    );
  });

  it.each([
    [{}, 'expected `steps`, `window` or both'],
    [{ steps: 0 }, 'steps is 0'],
    [{ window: 0 }, 'window is 0'],
    [{ window: 1e-6 }, 'numbers, at most 268435456'],
    [{ steps: 2, downsample: 1.5 }, 'downsample is 1.5'],
    [{ steps: 2, value: 'mean' }, 'value is mean: expected sum or binary'],
  ])('by the rule %j is refused', (rule, message) => {
    expect(() => binEvents(events, rule as unknown as BinningRule)).toThrow(
      expect.objectContaining({
        code: 'invalid-setting',
        message: expect.stringContaining(message),
      }),
    );
  });
});

describe('augmentation of events', () => {
  const count = 4000;
  const many = eventList({
    t: Array.from({ length: count }, (_, i) => 1000 + 10 * i),
    x: Array.from({ length: count }, (_, i) => i % 17),
    y: Array.from({ length: count }, (_, i) => i % 13),
    p: Array.from({ length: count }, (_, i) => i % 2),
    width: 17,
    height: 13,
  });

  it('is the same for the same draws and another for others', () => {
    for (const transform of [jitterTimes(50), dropEvents(0.3), shiftEvents(5)]) {
      expect(transform(many, draws(1))).toEqual(transform(many, draws(1)));
      expect(transform(many, draws(2))).not.toEqual(transform(many, draws(1)));
    }
  });

  it('moves times by their deviation and leaves them sorted', () => {
    const steady: EventList = { ...many, t: many.t.map(() => 50_000) };
    const { t } = jitterTimes(100)(steady, draws());
    const mean = t.reduce((a, b) => a + b, 0) / count;
    const deviation = Math.sqrt(t.reduce((sum, one) => sum + (one - mean) ** 2, 0) / count);

    expect(t).toEqual(t.toSorted());
    expect(Math.abs(mean - 50_000)).toBeLessThan(8);
    expect(Math.abs(deviation - 100)).toBeLessThan(5);
    expect(Math.min(...jitterTimes(1e9)(many, draws()).t)).toBe(0);
  });

  it('drops the part that it is told to', () => {
    expect(dropEvents(0)(many, draws())).toEqual(many);
    expect(dropEvents(1)(many, draws()).t).toHaveLength(0);
    expect(Math.abs(dropEvents(0.25)(many, draws()).t.length / count - 0.75)).toBeLessThan(0.03);
  });

  it('shifts pixels together, and those that leave the sensor are gone', () => {
    const middle = eventList({ t: [1, 2], x: [8, 8], y: [6, 6], width: 17, height: 13 });
    const places = Array.from({ length: 200 }, (_, i) => shiftEvents(2)(middle, draws(i)));

    const offsets = new Set(places.map(({ x, y }) => `${x[0]! - 8},${y[0]! - 6}`));
    expect(offsets.size).toBe(25);
    expect(places.every(({ x }) => x[0] === x[1])).toBe(true);
    const shifted = shiftEvents(16)(many, draws());
    expect(shifted.t.length).toBeLessThan(count);
    expect(Math.max(...shifted.x)).toBeLessThan(17);
  });

  it('mirrors columns, rows and polarities', () => {
    const flipped = flipEvents({ across: 1, down: 1, polarity: 1 })(many, draws());

    expect([flipped.x[0], flipped.y[0], flipped.p[0]]).toEqual([16, 12, 1]);
    expect(flipEvents({ across: 1, down: 1, polarity: 1 })(flipped, draws())).toEqual(many);
    expect(flipEvents({ across: 0 })(many, draws())).toEqual(many);
  });
});

describe('recordings as examples', () => {
  const one = eventList({ t: [0, 10], x: [0, 1], width: 2, height: 1 });
  const two = eventList({ t: [0, 10], x: [1, 1], width: 2, height: 1 });
  const recordings = [
    { events: one, label: 0 },
    { events: two, label: 2 },
  ];
  const rule = { steps: 2, polarity: 'merged' } as const;

  it('are laid out [frames][rows][width] and augmented in training alone', () => {
    const examples = eventExamples(recordings, rule, [dropEvents(1)]);
    const batch = emptyBatch(examples, 2);

    fillBatch(examples, [0, 1], batch);
    expect(examples).toMatchObject({ count: 2, frames: 2, width: 2, classes: 3 });
    expect([...batch.inputs]).toEqual([1, 0, 0, 1, 0, 1, 0, 1]);
    expect([...batch.labels]).toEqual([0, 2]);

    fillAltered(examples, [0, 1], batch, { key: keyOf(0), step: 0 });
    expect([...batch.inputs]).toEqual(Array(8).fill(0));
  });

  it('of different sensors are refused', () => {
    const wide = { events: eventList({ t: [1], x: [1], width: 3, height: 1 }), label: 0 };

    expect(() => eventExamples([...recordings, wide], rule)).toThrow(
      'recording 2 is 3 x 1, expected 2 x 1',
    );
    expect(() => eventExamples([], rule)).toThrow('there are no recordings');
  });
});
