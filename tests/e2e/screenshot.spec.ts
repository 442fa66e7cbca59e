import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { expect, test } from './dashboard.ts';
import {
  button,
  field,
  inState,
  lengthOf,
  openLab,
  pause,
  readout,
  soon,
  trainUntil,
  written,
} from './lab.ts';

/*
 * Takes the picture of the README anew, with what the lab shows at that moment:
 *
 *   SPIKEGRID_SCREENSHOT=1 npm test -- e2e screenshot
 */
const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));

test.use({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });

const isAskedFor = process.env['SPIKEGRID_SCREENSHOT'] === '1';

async function takePicture({ page }: { page: Page }): Promise<void> {
  test.setTimeout(300_000);
  await openLab(
    page,
    'd_model=96&num_blocks=3&n_heads=4&learning_rate=0.006&seq_len=32&time_steps=2&batch_size=8&budget=1000&budget_in=steps&check_every=50&tokens=240&temperature=0.6',
  );
  await trainUntil(page, 500);
  await field(page, 'Prompt').fill('The whale ');
  await button(page, 'Generate').click();
  await soon(() => lengthOf(written(page))).toBeGreaterThan(240);
  await expect(page.getByText(/^240 tokens in/)).toBeVisible();
  expect(await readout(page, 'Loss')).toBeLessThan(2.4);
  await expect(page.getByText(/^Saved|^Copied/)).toBeHidden();
  // Nothing has the focus and nothing is hovered.
  await page.mouse.move(700, 4);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await inState(page, 'Training');

  mkdirSync(images, { recursive: true });
  await page.screenshot({ path: `${images}training-lab.png` });
  await pause(page);
}

if (isAskedFor) test('the training lab in the middle of its work', takePicture);
