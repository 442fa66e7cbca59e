import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { expect, figure, type Stage, test } from './parts-page.ts';

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

/** What axe finds, in a line each. */
async function violations(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

for (const theme of ['light', 'dark']) {
  for (const language of ['en', 'ja']) {
    test(`every plot is accessible: ${theme}, ${language}`, async ({ page }) => {
      await page.goto(`/?theme=${theme}&lang=${language}`);
      await fill(page);
      await expect(figure(page, 'Potentials').locator('figcaption span')).toHaveCount(3);

      expect(await violations(page)).toEqual([]);
    });
  }
}

test('every table behind a plot is accessible', async ({ page }) => {
  await page.goto('/');
  await fill(page);
  for (const widget of await page.getByRole('figure').all()) {
    await widget.getByRole('radio', { name: 'Table' }).check();
  }

  expect(await violations(page)).toEqual([]);
});
