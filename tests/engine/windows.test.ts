import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Corpus } from '../../engine/data/corpus/corpus.ts';
import type { TokenRange } from '../../engine/data/corpus/corpus.ts';
import {
  type Batch,
  countWindows,
  createWindowSampler,
  spreadWindows,
  type WindowSampler,
  type WindowShape,
} from '../../engine/data/corpus/windows.ts';
import { extent } from './extent.ts';
import { countingCorpus } from './counting-corpus.ts';

const MEBI = 1 << 20;

const shapes = fc.record({
  batch: fc.integer({ min: 1, max: 7 }),
  sequence: fc.integer({ min: 2, max: 40 }),
});
const seeds = fc.maxSafeNat();
const steps = fc.nat(100_000);

describe('windows of a text', () => {
  it('depend on the seed and the step alone', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, seeds, fc.array(steps), async (shape, seed, visited) => {
        const make = () => createWindowSampler(countingCorpus(500), whole(500), shape, seed);
        const [walked, fresh] = [make(), make()];
        for (const step of visited) await batchOf(walked, step);

        expect(await batchOf(walked, 7)).toEqual(await batchOf(fresh, 7));
      }),
      { numRuns: 30 },
    );
  });

  it('lie inside their range, and their targets are the tokens that follow', async () => {
    const places = fc.tuple(fc.nat(1000), fc.nat(200));
    await fc.assert(
      fc.asyncProperty(shapes, seeds, steps, places, async (shape, seed, step, [start, more]) => {
        const range = { start, end: start + shape.sequence + 1 + more };
        const sampler = createWindowSampler(countingCorpus(range.end), range, shape, seed);

        const { ids, targets } = await batchOf(sampler, step);

        // The tokens of the counting corpus are their own places.
        expect(targets).toEqual(ids.map((id) => id + 1));
        for (const first of startsOf({ ids, targets }, shape)) {
          expect(first).toBeGreaterThanOrEqual(range.start);
          expect(first + shape.sequence).toBeLessThan(range.end);
        }
        expect(ids).toEqual(windowsAt(startsOf({ ids, targets }, shape), shape));
      }),
    );
  });

  it('start at every place there is, the last included, about equally often', async () => {
    const shape = { batch: 10, sequence: 5 };
    const range = { start: 3, end: 43 };
    const sampler = createWindowSampler(countingCorpus(60), range, shape, 1);
    const counts = new Map<number, number>();
    for (let step = 0; step < 350; step++) {
      for (const first of startsOf(await batchOf(sampler, step), shape)) {
        counts.set(first, (counts.get(first) ?? 0) + 1);
      }
    }

    const expected = Array.from({ length: 35 }, (_, i) => 3 + i);
    expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual(expected);
    // 3500 windows over 35 places: 100 each. 34 degrees of freedom: one in a million lies above 86.
    const chiSquared = [...counts.values()].reduce((sum, n) => sum + (n - 100) ** 2 / 100, 0);
    expect(chiSquared).toBeLessThan(86);
  });

  it('differ by seed, by step and by row', async () => {
    const shape = { batch: 4, sequence: 8 };
    const at = async (seed: number, step: number) =>
      startsOf(
        await batchOf(createWindowSampler(countingCorpus(9999), whole(9999), shape, seed), step),
        shape,
      );
    const drawn = await Promise.all([at(1, 0), at(2, 0), at(1 + 2 ** 32, 0), at(1, 1), at(1, 2)]);

    expect(new Set(drawn.flat())).toHaveProperty('size', 20);
  });

  it('are drawn without waiting once their text is loaded, into the arrays of the step before', async () => {
    const shape = { batch: 4, sequence: 8 };
    const sampler = createWindowSampler(countingCorpus(999), whole(999), shape, 1);
    expect(() => sampler.batch(0)).toThrow('the text of step 0 is not loaded');
    await sampler.load(0);
    const first = sampler.batch(0);
    const before = startsOf(first, shape);

    expect(sampler.load(1)).toBeUndefined();
    expect(sampler.batch(1)).toBe(first);
    expect(startsOf(first, shape)).not.toEqual(before);
  });

  it('count an epoch as the steps that read as many tokens as there are', () => {
    const stepsOf = (length: number, batch: number, sequence: number) =>
      createWindowSampler(countingCorpus(length), whole(length), { batch, sequence }, 1)
        .stepsPerEpoch;

    expect(stepsOf(1000, 5, 10)).toBe(20);
    expect(stepsOf(1001, 5, 10)).toBe(21);
    expect(stepsOf(12, 5, 10)).toBe(1);
  });
});

describe('windows of a text too large to hold', () => {
  // 30 segments of 2^20 window starts: groups of 7, 8, 7 and 8. Long windows make an epoch 32 steps.
  const length = 30 * MEBI + 4321;
  const range = { start: 1000, end: length - 200 };
  const shape = { batch: 16, sequence: 65536 };

  it('start everywhere once an epoch, at most eight segments at a time, each group for as many steps', async () => {
    const corpus = countingCorpus(length);
    const sampler = createWindowSampler(corpus, range, shape, 3);
    expect(sampler.stepsPerEpoch).toBe(32);
    const readBefore: number[] = [];
    for (let step = 0; step < 32; step++) {
      readBefore.push(corpus.reads.length);
      await batchOf(sampler, step);
    }

    const held = [0, 7, 15, 22, 30];
    expect(readBefore).toEqual(
      held.slice(0, -1).flatMap((n, i) => [n, ...Array<number>(7).fill(held[i + 1]!)]),
    );
    const inOrder = corpus.reads.toSorted(([a], [b]) => a - b);
    expect(inOrder.map(([start]) => start)).toEqual([
      1000,
      // A segment reaches into the next by one window, so none is lost between them.
      ...inOrder.map(([, end]) => end - shape.sequence).slice(0, -1),
    ]);
    expect(inOrder.at(-1)![1]).toBe(range.end);
  });

  it('come from another order of segments in the next epoch', async () => {
    const firstGroup = async (step: number) => {
      const corpus = countingCorpus(length);
      await createWindowSampler(corpus, range, shape, 3).load(step);
      return corpus.reads.map(([start]) => start);
    };
    const [first, second] = [await firstGroup(0), await firstGroup(32)];

    expect(second).toHaveLength(7);
    expect(new Set(second)).not.toEqual(new Set(first));
  });

  it('are the same when a run starts in the middle of an epoch', async () => {
    const walked = createWindowSampler(countingCorpus(length), range, shape, 3);
    for (const step of [0, 9, 17]) await batchOf(walked, step);
    const fresh = createWindowSampler(countingCorpus(length), range, shape, 3);

    const [a, b] = [await batchOf(walked, 41), await batchOf(fresh, 41)];
    expect(startsOf(a, shape)).toEqual(startsOf(b, shape));
    expect(startsOf(a, shape)).toHaveLength(16);
  });

  it('let go of a group before the next one is read', async () => {
    const live = new Set<WeakRef<Uint32Array>>();
    let mostLive = 0;
    const counting = countingCorpus(length);
    const corpus: Corpus = {
      ...counting,
      async read(start, end) {
        await collectGarbage();
        for (const held of live) if (!held.deref()) live.delete(held);
        mostLive = Math.max(mostLive, live.size);
        const tokens = await counting.read(start, end);
        live.add(new WeakRef(tokens));
        return tokens;
      },
    };
    const sampler = createWindowSampler(corpus, range, shape, 3);
    // An epoch, and the first group of the next. Every read collects the garbage of the whole process.
    const last = extent(32, 8);
    for (let step = 0; step <= last; step += 8) await batchOf(sampler, step);

    expect(counting.reads.length).toBeGreaterThan(extent(30, 14));
    // Whoever asks for the next segment holds at most seven others of its group.
    expect(mostLive).toBe(7);
  });
});

describe('windows to validate with', () => {
  const spread = async (tokens: number, shape: WindowShape, limit: number, start = 0) => {
    const range = { start, end: start + tokens };
    const batches = await spreadWindows(countingCorpus(range.end), range, shape, limit);
    for (const { ids, targets } of batches) expect(targets).toEqual(ids.map((id) => id + 1));
    return batches.flatMap((batch) => startsOf(batch, shape));
  };
  /** The tokens that windows predict, by their places in the range. */
  const predictedOf = (starts: readonly number[], { sequence }: WindowShape, start: number) =>
    starts.flatMap((first) => Array.from({ length: sequence }, (_, i) => first + 1 + i - start));

  it('are spread evenly from the first token of the range to the last', async () => {
    // 50 windows fit, and there is room for 8 in whole batches.
    const starts = await spread(12 * 50 + 1, { batch: 4, sequence: 12 }, 10, 100);

    expect(starts).toEqual([0, 84, 168, 252, 336, 420, 504, 588].map((place) => 100 + place));
  });

  it('predict the first and the last token, evenly, whatever the length', async () => {
    const numbers = fc.tuple(fc.nat(500), fc.nat(3000), fc.integer({ min: 14, max: 60 }));
    await fc.assert(
      fc.asyncProperty(shapes, numbers, async (shape, [start, more, limit]) => {
        const { batch, sequence } = shape;
        const tokens = sequence + 1 + more;
        const starts = await spread(tokens, shape, limit, start);

        expect(starts.length % batch).toBe(0);
        expect(starts.length).toBeLessThanOrEqual(limit);
        expect(starts[0]).toBe(start);
        // One window alone cannot reach both ends.
        const isAlone = starts.length === 1;
        expect(starts.at(-1)).toBe(isAlone ? start : start + tokens - 1 - sequence);
        const distances = starts.slice(1).map((first, i) => first - starts[i]!);
        expect(Math.max(...distances, 0) - Math.min(...distances, tokens)).toBeLessThanOrEqual(1);

        const predicted = predictedOf(starts, shape, start);
        const distinct = new Set(predicted).size;
        // No token counts twice where all windows fit, and none is left out where there is room for it.
        const fits = predicted.length <= tokens - 1;
        expect(fits && distinct < predicted.length).toBe(false);
        const hasRoom = Math.ceil((tokens - 1) / sequence / batch) * batch <= limit;
        expect(hasRoom && !isAlone && distinct < tokens - 1).toBe(false);
      }),
    );
  });

  it('leave no token out of a text that is shorter than one batch of them', async () => {
    const shape = { batch: 5, sequence: 10 };

    expect(await spread(29, shape, 256)).toEqual([0, 4, 9, 13, 18]);
    expect(await spread(11, shape, 256)).toEqual([0, 0, 0, 0, 0]);
  });

  it('fill a batch by repetition where fewer are asked for', async () => {
    expect(await spread(61, { batch: 5, sequence: 10 }, 2)).toEqual([0, 50, 0, 50, 0]);
    expect(countWindows({ start: 0, end: 61 }, { batch: 5, sequence: 10 }, 2)).toBe(2);
  });

  it('are refused of a range that holds none', async () => {
    await expect(spread(10, { batch: 1, sequence: 10 }, 4)).rejects.toThrow(
      /10 characters hold no window of 10/,
    );
  });
});

function whole(length: number): TokenRange {
  return { start: 0, end: length };
}

async function batchOf(sampler: WindowSampler, step: number): Promise<Batch> {
  await sampler.load(step);
  return sampler.batch(step);
}

/** The first token of every window; of a counting corpus, where the window starts. */
function startsOf({ ids }: Batch, { batch, sequence }: WindowShape): number[] {
  return Array.from({ length: batch }, (_, row) => ids[row * sequence]!);
}

function windowsAt(starts: readonly number[], { sequence }: WindowShape): Uint32Array {
  return Uint32Array.from(
    starts.flatMap((first) => Array.from({ length: sequence }, (_, i) => first + i)),
  );
}

/** Weak references hold what they were last asked for until the event loop has gone around. */
async function collectGarbage(): Promise<void> {
  await setImmediate();
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}
