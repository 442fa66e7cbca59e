import { describe, expect, it, vi } from 'vitest';
import { createSeriesBuffer } from '../../../web/widgets/buffers/series-buffer.ts';
import { shownSteps } from '../../../web/widgets/buffers/shown-steps.ts';
import {
  createSpikeBuffer,
  firingRates,
  newestSteps,
  packSpikes,
  spikeCounts,
} from '../../../web/widgets/buffers/spike-buffer.ts';
import { createTraceBuffer } from '../../../web/widgets/buffers/trace-buffer.ts';
import { fc } from '../seeded.ts';

describe('a series buffer', () => {
  it('holds the newest rows in order, however many were pushed', () => {
    const rows = fc.array(fc.tuple(fc.double({ noNaN: true }), fc.double()), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), rows, (capacity, pushed) => {
        const buffer = createSeriesBuffer(2, capacity);
        pushed.forEach(([a, b], x) => buffer.push(x, [a, b]));
        const newest = pushed.slice(-capacity);

        const { x, y } = buffer.window();

        expect(Array.from(x)).toEqual([...pushed.keys()].slice(-capacity));
        expect(Array.from(y[0]!)).toEqual(newest.map(([a]) => a));
        expect(Array.from(y[1]!)).toEqual(newest.map(([, b]) => b));
      }),
    );
  });

  it('is empty after a clear and says that it changed', () => {
    const buffer = createSeriesBuffer(1, 4);
    buffer.push(0, [1]);
    const listener = vi.fn<() => void>();
    const unsubscribe = buffer.subscribe(listener);

    buffer.clear();
    expect(buffer.length).toBe(0);
    expect(listener).toHaveBeenCalledTimes(1);

    unsubscribe();
    buffer.push(0, [2]);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('forgets what lies after an x, and goes on from there', () => {
    const more = fc.array(fc.nat(100), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), more, fc.nat(100), more, (...given) => {
        const [capacity, before, limit, after] = given;
        const buffer = createSeriesBuffer(1, capacity);
        const sorted = before.toSorted((a, b) => a - b);
        for (const x of sorted) buffer.push(x, [x]);
        buffer.dropAfter(limit);
        const kept = sorted.slice(-capacity).filter((x) => x <= limit);
        expect(Array.from(buffer.window().x)).toEqual(kept);

        const next = after.toSorted((a, b) => a - b).map((x) => x + limit);
        for (const x of next) buffer.push(x, [x]);
        const { x, y } = buffer.window();
        expect(Array.from(x)).toEqual([...kept, ...next].slice(-capacity));
        expect(Array.from(y[0]!)).toEqual(Array.from(x));
      }),
    );
  });

  it('refuses a row of another width', () => {
    expect(() => createSeriesBuffer(2, 4).push(0, [1])).toThrow('a row holds 1 values, expected 2');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a capacity of %d', (capacity) => {
    expect(() => createSeriesBuffer(1, capacity)).toThrow(`not ${capacity}`);
  });
});

/** [step][neuron] spikes of a layer, 1 to 70 neurons wide: less than, exactly and more than whole words. */
const spikeTrain = fc.integer({ min: 1, max: 70 }).chain((neurons) =>
  fc.array(fc.array(fc.boolean(), { minLength: neurons, maxLength: neurons }), {
    minLength: 1,
    maxLength: 30,
  }),
);

describe('a spike buffer', () => {
  it('counts as one would by hand, over any stretch that it holds', () => {
    fc.assert(
      fc.property(spikeTrain, fc.integer({ min: 1, max: 40 }), (train, capacity) => {
        const neurons = train[0]!.length;
        const buffer = createSpikeBuffer(neurons, capacity);
        for (const spikes of train) buffer.push(packSpikes(spikes));
        const range = newestSteps(buffer, 12);
        const byHand = Array.from(
          { length: neurons },
          (_, neuron) =>
            train.slice(range.from, range.to).filter((spikes) => spikes[neuron]).length,
        );

        expect(Array.from(spikeCounts(buffer, range))).toEqual(byHand);
        expect(buffer.steps).toBe(train.length);
        expect(range.to - range.from).toBe(Math.min(12, capacity, train.length));
      }),
    );
  });

  it('packs the least significant bit first, as the engine does', () => {
    const spikes = Array.from({ length: 40 }, (_, neuron) => neuron === 0 || neuron === 33);

    expect(Array.from(packSpikes(spikes))).toEqual([1, 2]);
  });

  it('has rates of 0 before the first step and of 1 for a neuron that always fires', () => {
    const buffer = createSpikeBuffer(2, 8);
    expect(Array.from(firingRates(buffer, newestSteps(buffer, 8)))).toEqual([0, 0]);

    for (let step = 0; step < 5; step++) buffer.push(Uint32Array.of(0b10));
    expect(Array.from(firingRates(buffer, newestSteps(buffer, 8)))).toEqual([0, 1]);
  });

  it('throws for a step that it no longer holds', () => {
    const buffer = createSpikeBuffer(1, 2);
    for (let step = 0; step < 5; step++) buffer.push(Uint32Array.of(0));

    expect(() => buffer.step(2)).toThrow('step 2 is not held: 3 to 4 are');
    expect(() => buffer.push(Uint32Array.of(0, 0))).toThrow('has 1 words, not 2');
  });

  it('counts its generations, as step numbers start again after a clear', () => {
    const buffer = createSpikeBuffer(1, 2);
    buffer.push(Uint32Array.of(1));

    buffer.clear();

    expect([buffer.steps, buffer.generation]).toEqual([0, 1]);
  });
});

describe('a trace buffer', () => {
  it('holds the newest potentials and spikes of each neuron in order', () => {
    const steps = fc.array(fc.tuple(fc.float({ noNaN: true }), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), steps, (capacity, pushed) => {
        const buffer = createTraceBuffer(2, capacity);
        for (const [u, s] of pushed) buffer.push([u, -u], [s ? 1 : 0, s ? 0 : 1]);
        const newest = pushed.slice(-capacity);

        expect(Array.from(buffer.potentials(0))).toEqual(newest.map(([u]) => u));
        expect(Array.from(buffer.potentials(1))).toEqual(newest.map(([u]) => -u));
        expect(Array.from(buffer.fired(1))).toEqual(newest.map(([, s]) => (s ? 0 : 1)));
        expect(buffer.oldest + buffer.length).toBe(pushed.length);
      }),
    );
  });

  it('names a neuron that it does not have', () => {
    expect(() => createTraceBuffer(2, 4).potentials(2)).toThrow('neuron 2 is not one of 0 to 1');
  });
});

const held = (steps: number, capacity = 480) => ({
  steps,
  oldest: Math.max(0, steps - capacity),
});

describe('the steps in sight', () => {
  it.each([
    [0, 0, 0],
    [100, 0, 100],
    [240, 0, 240],
    [1000, 760, 1000],
  ])('scroll with every step: after %d they are %d to %d', (steps, from, to) => {
    expect(shownSteps(held(steps), 240, 'scroll')).toEqual({ from, to });
  });

  it.each([
    [59, 0, 0],
    [60, 0, 60],
    [239, 0, 180],
    [240, 0, 240],
    [479, 0, 240],
    [480, 240, 480],
    [719, 240, 480],
  ])('turn by pages, the first by quarters: after %d they are %d to %d', (steps, from, to) => {
    expect(shownSteps(held(steps), 240, 'page')).toEqual({ from, to });
  });

  it('are always ones that the buffer holds', () => {
    const motion = fc.constantFrom('scroll', 'page');
    const size = fc.integer({ min: 1, max: 64 });
    fc.assert(
      fc.property(fc.nat(500), size, size, motion, (steps, capacity, columns, how) => {
        const now = held(steps, capacity);
        const { from, to } = shownSteps(now, columns, how);

        expect(from).toBeGreaterThanOrEqual(now.oldest);
        expect(to).toBeGreaterThanOrEqual(from);
        expect(to).toBeLessThanOrEqual(steps);
        expect(to - from).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
