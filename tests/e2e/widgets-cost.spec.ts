import type { Page } from 'playwright/test';
import { countPixels } from './pixels.ts';
import { canvas, expect, type Stage, test } from './parts-page.ts';

declare const stage: Stage;

test.describe('what the widgets cost', () => {
  /** Runs `frame` in each of `frames` frames and gives the main thread's time in their callbacks, ms. */
  async function costs(page: Page, frame: 'spikes' | 'curve'): Promise<number[]> {
    return page.evaluate(async (what) => {
      const times: number[] = [];
      const original = globalThis.requestAnimationFrame.bind(globalThis);
      globalThis.requestAnimationFrame = (callback) =>
        original((now) => {
          const start = performance.now();
          callback(now);
          times.push(performance.now() - start);
        });
      for (let count = 0; count < 120; count++) {
        // Four steps a frame are 240 a second.
        if (what === 'spikes') for (let step = 0; step < 4; step++) stage.pushSpikes(0.06);
        else stage.pushRow();
        await new Promise((next) => original(next));
      }
      return times;
    }, frame);
  }
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

  test('512 neurons and 240 steps a second take at most 2 ms of a frame', async ({ page }) => {
    await page.goto('/');
    const times = await costs(page, 'spikes');

    expect(times.length).toBeGreaterThan(60);
    expect(median(times)).toBeLessThanOrEqual(2);
  });

  test('a curve of 100,000 points is drawn again in at most 20 ms', async ({ page }) => {
    await page.goto('/');
    await page.evaluate(() => {
      for (let row = 0; row < 100_000; row++) stage.pushRow();
    });
    await expect
      .poll(() => countPixels(canvas(page, 'Learning'), '--series-1'))
      .toBeGreaterThan(500);

    expect(median(await costs(page, 'curve'))).toBeLessThanOrEqual(20);
  });

  test('React takes no part in a frame: words follow twice a second, not sixty times', async ({
    page,
  }) => {
    await page.goto('/');
    const changes = await page.evaluate(async () => {
      let count = 0;
      new MutationObserver((records) => (count += records.length > 0 ? 1 : 0)).observe(
        document.body,
        { subtree: true, childList: true, characterData: true },
      );
      for (let frame = 0; frame < 60; frame++) {
        stage.pushSpikes(0.06);
        stage.pushTrace();
        await new Promise((next) => requestAnimationFrame(next));
      }
      return count;
    });

    expect(changes).toBeGreaterThan(0);
    expect(changes).toBeLessThan(20);
  });
});
