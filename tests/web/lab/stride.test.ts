import { describe, expect, it } from 'vitest';
import { createStride, MAX_STRIDE } from '../../../web/lab/host/stride.ts';
import { fc } from '../seeded.ts';

/** Trains strides on a device that takes `msPerStep`, and gives the strides. */
function stridesOn(msPerStep: (stride: number) => number, targetMs: number, count: number) {
  const stride = createStride();
  return Array.from({ length: count }, (_, index) => {
    const steps = stride.next(targetMs);
    stride.took(steps, steps * msPerStep(index));
    return steps;
  });
}

describe('a stride', () => {
  it('starts with one step and at most doubles, up to what fits', () => {
    expect(stridesOn(() => 3, 100, 8)).toEqual([1, 2, 4, 8, 16, 32, 33, 33]);
  });

  it('is one step where a step takes longer than it should', () => {
    expect(stridesOn(() => 700, 100, 4)).toEqual([1, 1, 1, 1]);
  });

  it('becomes shorter when the device becomes slower', () => {
    const strides = stridesOn((index) => (index < 8 ? 2 : 20), 100, 16);

    expect(strides[7]).toBe(50);
    expect(strides.at(-1)).toBe(5);
  });

  it('is at least one step, never too many, and soon no longer than it should take', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 5_000, noNaN: true }),
        fc.integer({ min: 20, max: 200 }),
        (ms, targetMs) => {
          const strides = stridesOn(() => ms, targetMs, 12);

          expect(strides.every((steps) => steps >= 1 && steps <= MAX_STRIDE)).toBe(true);
          expect((strides.at(-1)! - 1) * ms).toBeLessThanOrEqual(targetMs);
        },
      ),
    );
  });
});
