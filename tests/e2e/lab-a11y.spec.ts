import type { Page } from 'playwright/test';
import { expectAccessibleIn } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { expectRoom } from './layout.ts';
import { bar, FAST, figure, inState, soon, stepOf, TALL, lengthOf, written } from './lab.ts';

test.use({ viewport: TALL, contextOptions: { reducedMotion: 'reduce' } });

/** Waits until nothing on the page changes any more. */
const settled = (page: Page) =>
  expect(page.getByRole('figure').locator('figcaption span').last()).toBeVisible();

for (const { language, details } of LANGUAGES) {
  test(
    `the lab is accessible and has room, empty and with a run: ${language}`,
    details,
    async ({ page }) => {
      await page.goto(`/lab?${FAST}&budget=10&lang=${language}`);
      const train = page.locator('[aria-keyshortcuts^="Control+Enter"]').first();
      await expect(train).toBeEnabled();
      await expectAccessibleIn(language, page, 'empty');

      await train.click();
      // The settings that are fixed during a run can be changed again.
      await expect(page.locator('select:has(option[value=epochs])')).toBeDisabled();
      await expect(page.locator('select:has(option[value=epochs])')).toBeEnabled({
        timeout: 30_000,
      });
      await settled(page);
      await expectAccessibleIn(language, page, 'with a run');
      await expectRoom(page, `the lab with a run, ${language},`);
    },
  );
}

test('training, pausing and writing need no pointer', async ({ page }) => {
  await page.goto(`/lab?${FAST}&budget=5000&tokens=60`);
  await expect(bar(page).getByRole('button', { name: 'Train' })).toBeEnabled();
  await bar(page).getByRole('button', { name: 'Train' }).focus();
  await page.keyboard.press('Enter');
  await soon(() => stepOf(page)).toBeGreaterThan(2);
  await expect(bar(page).getByRole('button', { name: 'Pause' })).toBeFocused();
  await page.keyboard.press('Enter');
  await inState(page, 'Paused');
  await expect(bar(page).getByRole('button', { name: 'Resume' })).toBeFocused();
  const step = await stepOf(page);
  await page.keyboard.press('Control+.');
  await soon(() => stepOf(page)).toBe(step + 1);

  await page.getByRole('textbox', { name: 'Prompt' }).focus();
  await page.keyboard.type('A fox');
  await page.keyboard.press('Enter');
  await soon(() => lengthOf(written(page))).toBeGreaterThan(60);
  await expect(written(page)).toContainText(/^A fox/);
  await page.keyboard.press('Control+Enter');
  await inState(page, 'Training');
  await expect(figure(page, 'Loss')).toBeVisible();
});
