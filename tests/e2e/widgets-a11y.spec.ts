import type { Page } from 'playwright/test';
import { expectAccessibleIn, violations } from './axe.ts';
import { LANGUAGES } from './languages.ts';
import { expect, figure, showTheme, type Stage, test } from './parts-page.ts';

declare const stage: Stage;

/** Some data in every widget that takes it. */
const fill = (page: Page) =>
  page.evaluate(() => {
    for (let step = 0; step < 100; step++) {
      stage.pushSpikes(0.1);
      stage.pushTrace();
      stage.pushRow();
    }
  });

for (const { language, details } of LANGUAGES) {
  test(`every plot is accessible: ${language}`, details, async ({ page }) => {
    await page.goto(`/?lang=${language}`);
    await fill(page);
    await expect(figure(page, 'Potentials').locator('figcaption span')).toHaveCount(3);

    await expectAccessibleIn(language, page, 'the plots', showTheme);
  });
}

test('every table behind a plot is accessible', async ({ page }) => {
  await page.goto('/');
  await fill(page);
  for (const widget of await page.getByRole('figure').all()) {
    await widget.getByRole('radio', { name: 'Table' }).check();
  }

  expect(await violations(page)).toEqual([]);
});
