import type { Page } from 'playwright/test';
import { countPixels, fingerprint } from './pixels.ts';
import { canvas, cursor, expect, figure, painted, type Stage, test } from './parts-page.ts';

declare const stage: Stage;

test.describe('the spike raster', () => {
  /** One step in which exactly one neuron fires. */
  const fire = (page: Page, neuron: number) =>
    page.evaluate((index) => {
      const words = new Uint32Array(stage.spikes.wordsPerStep);
      words[index >>> 5] = 1 << (index & 31);
      stage.spikes.push(words);
    }, neuron);

  /** Where the lit pixels are, as fractions of the canvas from the left and from the bottom. */
  const lit = (page: Page) =>
    canvas(page, 'Spikes').evaluate((element: HTMLCanvasElement) => {
      const { width, height } = element;
      const context = new OffscreenCanvas(width, height).getContext('2d')!;
      context.drawImage(element, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      const pixels = [...Array(width * height).keys()].filter(
        (pixel) => data[4 * pixel + 3]! > 100,
      );
      const xs = pixels.map((pixel) => (pixel % width) / width);
      const ys = pixels.map((pixel) => 1 - Math.floor(pixel / width) / height);
      return {
        left: Math.min(...xs),
        right: Math.max(...xs),
        bottom: Math.min(...ys),
        top: Math.max(...ys),
      };
    });

  test('puts each spike where it belongs: time to the right, neuron 0 at the bottom', async ({
    page,
  }) => {
    await page.goto('/');
    await fire(page, 0);
    await painted(page);
    const first = await lit(page);
    expect(first.right).toBeLessThan(2 / 240);
    expect(first.top).toBeLessThan(3 / 300);

    await page.evaluate(() => {
      for (let step = 1; step < 239; step++) stage.pushSpikes(0);
    });
    await fire(page, 511);
    await painted(page);
    const both = await lit(page);
    expect(both.left).toBe(first.left);
    expect(both.right).toBeGreaterThan(239 / 240 - 0.005);
    expect(both.top).toBeGreaterThan(1 - 3 / 300);

    // One step more, and the first has scrolled out.
    await page.evaluate(() => stage.pushSpikes(0));
    await painted(page);
    expect((await lit(page)).left).toBeGreaterThan(0.9);
  });

  test('is read neuron by neuron with the arrow keys', async ({ page }) => {
    await page.goto('/');
    for (let step = 0; step < 3; step++) await fire(page, 510);
    const slider = cursor(page, 'Spikes');
    await slider.focus();

    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');

    await expect(slider).toHaveAttribute('aria-valuenow', '510');
    await expect(slider).toHaveAttribute(
      'aria-valuetext',
      'Neuron 510: 3 spikes in 3 steps (100%)',
    );
  });

  test('says its rate, and has a row for every neuron in its table', async ({ page }) => {
    await page.goto('/');
    await page.evaluate(() => {
      for (let step = 0; step < 240; step++) stage.pushSpikes(0.5, 256);
    });
    await expect(figure(page, 'Spikes')).toContainText(
      /512 neurons, mean firing rate 2[45][.\d]*% over 240 steps; 256 silent\./,
    );

    await figure(page, 'Spikes').getByRole('radio', { name: 'Table' }).check();
    // The table shows the rows in view, and says how many there are: 512 and the head.
    await expect(figure(page, 'Spikes').getByRole('table')).toHaveAttribute('aria-rowcount', '513');
  });

  test('is repainted in the colours of the other theme', async ({ page }) => {
    await page.goto('/');
    await page.evaluate(() => {
      for (let step = 0; step < 240; step++) stage.pushSpikes(0.1);
    });
    await painted(page);
    const before = await fingerprint(canvas(page, 'Spikes'));

    await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
    await expect.poll(() => countPixels(canvas(page, 'Spikes'), '--spike')).toBeGreaterThan(1_000);
    expect(await fingerprint(canvas(page, 'Spikes'))).not.toBe(before);
  });

  test.describe('where less motion is wanted', () => {
    test.use({ contextOptions: { reducedMotion: 'reduce' } });

    test('turns pages while steps come, and shows the rest once they stop', async ({ page }) => {
      const push = (count: number) =>
        page.evaluate((steps) => {
          for (let step = 0; step < steps; step++) stage.pushSpikes(0.1);
        }, count);
      const shown = async () => {
        await painted(page);
        return fingerprint(canvas(page, 'Spikes'));
      };
      await page.goto('/?state=running');
      await push(240);
      const firstPage = await shown();

      await push(239);
      expect(await shown()).toBe(firstPage);
      await push(1);
      expect(await shown()).not.toBe(firstPage);

      await page.goto('/?state=stopped');
      await push(240);
      const full = await shown();
      await push(1);
      expect(await shown()).not.toBe(full);
    });
  });
});

test.describe('the time series', () => {
  const rows = (page: Page, count: number) =>
    page.evaluate((more) => {
      for (let row = 0; row < more; row++) stage.pushRow();
    }, count);

  test('draws every curve, and says how each is going', async ({ page }) => {
    await page.goto('/');
    await rows(page, 1_000);

    await expect
      .poll(() => countPixels(canvas(page, 'Learning'), '--series-1'))
      .toBeGreaterThan(500);
    await expect
      .poll(() => countPixels(canvas(page, 'Learning'), '--series-2'))
      .toBeGreaterThan(200);
    const sentences = figure(page, 'Learning').locator('figcaption');
    await expect(sentences).toContainText(/loss [\d.]+ at step 999, falling/);
    await expect(sentences).toContainText(/accuracy [\d.]+ at step 999, rising/);
  });

  test('draws otherwise on a log scale and when smoothed', async ({ page }) => {
    await page.goto('/');
    await rows(page, 1_000);
    await expect
      .poll(() => countPixels(canvas(page, 'Learning'), '--series-1'))
      .toBeGreaterThan(500);
    const plain = await fingerprint(canvas(page, 'Learning'));

    await page.getByRole('button', { name: 'Log scale' }).click();
    await painted(page);
    const log = await fingerprint(canvas(page, 'Learning'));
    expect(log).not.toBe(plain);

    await page.getByRole('slider', { name: 'Smoothing' }).fill('0.9');
    await painted(page);
    expect(await fingerprint(canvas(page, 'Learning'))).not.toBe(log);
  });

  test('is read row by row with the arrow keys, and at the pointer', async ({ page }) => {
    await page.goto('/');
    await rows(page, 101);
    await expect(figure(page, 'Learning')).toContainText('at step 100');
    const slider = cursor(page, 'Learning');
    await slider.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveAttribute(
      'aria-valuetext',
      /^step 1: loss [\d.]+ and accuracy [\d.]+$/,
    );

    const plot = figure(page, 'Learning').locator('[class*=_area_]');
    const box = (await plot.boundingBox())!;
    await plot.hover({ position: { x: box.width / 2, y: box.height / 2 } });
    await expect(slider).toHaveAttribute('aria-valuetext', /^step 50: /);
  });
});

test('the membrane traces show a lane for each neuron and a stroke for each spike', async ({
  page,
}) => {
  await page.goto('/');
  await page.evaluate(() => {
    for (let step = 0; step < 240; step++) stage.pushTrace();
  });
  const lanes = canvas(page, 'Potentials');
  for (const token of ['--series-1', '--series-2', '--series-3', '--spike']) {
    await expect.poll(() => countPixels(lanes, token), token).toBeGreaterThan(50);
  }
  await expect(figure(page, 'Potentials')).toContainText(
    'Neuron 0: 1.06, threshold 1; 12 spikes in 240 steps.',
  );

  await cursor(page, 'Potentials').focus();
  await page.keyboard.press('End');
  await expect(cursor(page, 'Potentials')).toHaveAttribute(
    'aria-valuetext',
    'Step 239: Neuron 0 1.06 with a spike, Neuron 1 0.528, and Neuron 2 0',
  );
});

test('the histogram sets the dead and the saturated apart by pattern', async ({ page }) => {
  await page.goto('/');
  const bars = figure(page, 'Rates').locator('svg > rect');
  await expect(bars).toHaveCount(26);
  await expect(bars.first()).toHaveAttribute('fill', /^url\(#.*-dead\)$/);
  await expect(bars.last()).toHaveAttribute('fill', /^url\(#.*-saturated\)$/);
  await expect(figure(page, 'Rates')).toContainText('8 dead, 4 saturated.');

  await cursor(page, 'Rates').focus();
  await page.keyboard.press('Home');
  await expect(cursor(page, 'Rates')).toHaveAttribute(
    'aria-valuetext',
    'Dead, never fired: 8 neurons',
  );
});
