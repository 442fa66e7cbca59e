import { describe, expect, it } from 'vitest';
import type { Examples } from '../../engine/data/examples.ts';
import { linearFloor } from '../../engine/evaluation/linear-floor.ts';
import { createPauses } from '../../engine/evaluation/pauses.ts';

interface Made {
  readonly count: number;
  readonly frames?: number;
  readonly width: number;
  readonly classes: number;
  readonly valueAt: (example: number, place: number) => number;
  readonly label: (example: number) => number;
}

/** Examples whose numbers are functions of their places. */
function made({ count, frames = 1, width, classes, valueAt, label }: Made): Examples {
  return {
    count,
    frames,
    width,
    classes,
    label,
    write(example, { inputs, rows, row }) {
      for (let frame = 0; frame < frames; frame++) {
        for (let i = 0; i < width; i++) {
          inputs[(frame * rows + row) * width + i] = valueAt(example, frame * width + i);
        }
      }
    },
  };
}

/** Uniform in -1 to 1, other numbers for every example and place. */
const noise = (example: number, place: number) =>
  ((((example * 73_856_093) ^ (place * 19_349_663)) >>> 0) % 2001) / 1000 - 1;

describe('the linear floor', () => {
  it.each([1, 63, 64, 65])('knows %d inputs of which one tells the class', async (width) => {
    const at = width >> 1;
    const shape = { width, classes: 2, label: (i: number) => Number(noise(i, at) > 0) };
    const [learned, asked] = [300, 101].map((count) => made({ ...shape, count, valueAt: noise }));

    const floor = await linearFloor(learned!, asked!);

    expect(floor).toMatchObject({ name: 'linear', figure: 'accuracy' });
    expect(floor!.value).toBeGreaterThan(0.85);
  });

  it('reads all frames, and does not mind an offset or a scale', async () => {
    // A bump in the frame that is the class.
    const label = (i: number) => (i * 7) % 5;
    const valueAt = (i: number, place: number) =>
      1e4 + 300 * (noise(i, place) + (Math.floor(place / 4) === label(i) ? 2 : 0));
    const shape = { frames: 5, width: 4, classes: 5, label, valueAt };

    const floor = await linearFloor(made({ ...shape, count: 250 }), made({ ...shape, count: 50 }));

    expect(floor!.value).toBeGreaterThan(0.95);
  });

  it('knows no more than chance of what is not linear', async () => {
    const label = (i: number) => Number(noise(i, 0) * noise(i, 1) > 0);
    const shape = { width: 2, classes: 2, label, valueAt: noise };

    const floor = await linearFloor(
      made({ ...shape, count: 2000 }),
      made({ ...shape, count: 500 }),
    );

    expect(floor!.value).toBeLessThan(0.65);
  });

  it('is left out where it would take too long, before memory is taken', async () => {
    const shape = { width: 1 << 20, classes: 1000, label: () => 0, valueAt: () => 0 };

    expect(
      await linearFloor(made({ ...shape, count: 10 }), made({ ...shape, count: 10 })),
    ).toBeUndefined();
  });

  it('lets others go on meanwhile, and ends with its signal', async () => {
    const label = (i: number) => i % 10;
    const shape = { width: 784, classes: 10, label, valueAt: noise };
    const closing = new AbortController();
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns === 5) closing.abort();
    }, 0);

    const work = linearFloor(
      made({ ...shape, count: 20_000 }),
      made({ ...shape, count: 10 }),
      createPauses(closing.signal),
    );

    await expect(work).rejects.toThrow(/abort/);
    clearInterval(timer);
    expect(turns).toBe(5);
  });
});
