import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openReadingCodes, type ReadingCodes } from '../../engine/encoders/reading-codes.ts';
import { createReadingCodes } from '../../engine/encoding.ts';
import { reference } from './play.ts';
import { askWorker } from './workerd.ts';

const STEPS = 16;
let codes: ReadingCodes;
beforeAll(async () => {
  codes = await createReadingCodes({ steps: STEPS });
});

/** 150 readings: two chunks and a rest. */
const intensities = Array.from({ length: 150 }, (_, i) => i / 149);
const signal = Array.from({ length: 150 }, (_, i) => 6 * Math.sin(i / 9) + i / 20);
const bitsOf = (word: number) => word.toString(2).replaceAll('0', '').length;

async function encodeAll(all: ReadingCodes) {
  return {
    rate: [...(await all.rate(intensities, 7))],
    latency: [...(await all.latency(intensities))],
    delta: [...(await all.delta(signal))],
  };
}

describe('the codes of readings', () => {
  it('give the same spikes on the reference, in Node and in workerd', async () => {
    const expected = await encodeAll(await openReadingCodes(reference, { steps: STEPS }));

    const body = JSON.stringify({ steps: STEPS, intensities, signal });
    const inWorker = await askWorker('reading-codes-worker.ts', { method: 'POST', body });

    expect(await encodeAll(codes)).toEqual(expected);
    expect(inWorker).toEqual(expected);
  });

  it('by rate fire never for 0, always for 1, and in between at about the requested rate', async () => {
    const words = await codes.rate([0, 1, ...Array.from({ length: 300 }, () => 0.25)], 1);

    const [none, all, ...quarter] = Array.from(words, bitsOf);
    const share = quarter.reduce((sum, n) => sum + n, 0) / (300 * STEPS);
    expect([none, all]).toEqual([0, STEPS]);
    // Five standard errors.
    expect(Math.abs(share - 0.25)).toBeLessThan(5 * Math.sqrt((0.25 * 0.75) / (300 * STEPS)));
  });

  it('by rate have draws of their own, which their name gives again', async () => {
    const half = Array.from({ length: 64 }, () => 0.5);
    const [a, again, b] = [
      await codes.rate(half, 1),
      await codes.rate(half, 1),
      await codes.rate(half, 2),
    ];

    expect(again).toEqual(a);
    expect(b).not.toEqual(a);
  });

  it('by latency fire once, the earlier the larger', async () => {
    const words = await codes.latency([0, 0.001, 0.2, 0.5, 0.8, 1]);

    const [zero, tiny, ...rest] = words;
    expect([zero, tiny]).toEqual([0, 0]);
    expect(rest.map(bitsOf)).toEqual([1, 1, 1, 1]);
    expect(rest.toSorted((x, y) => y - x)).toEqual(rest);
    expect(rest.at(-1)).toBe(1);
  });

  it('by change follow a signal to within a threshold, where it moves by one at most', async () => {
    const moves = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(moves, async (changes) => {
        let at = 0;
        const walk = changes.map((change) => (at += change));
        const sent = await codes.delta(walk);

        let level = 0;
        for (const [i, value] of walk.entries()) {
          level += sent[i] ?? 0;
          expect(Math.abs(value - level)).toBeLessThanOrEqual(1 + 1e-4);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('by change send one threshold at a time, however far the signal jumps', async () => {
    expect([...(await codes.delta([1e300, -1e300, 0, 0.5, -0.5]))]).toEqual([1, -1, 0, 0, 0]);
  });

  it('of nothing are nothing', async () => {
    expect(await codes.rate([], 0)).toEqual(new Uint32Array(0));
    expect(await codes.delta([])).toEqual(new Int8Array(0));
  });
});
