import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expectAccessibleIn } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Simulation' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A number of the bar, by its name. */
async function readout(page: Page, name: string): Promise<number> {
  const said = await bar(page)
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd')
    .textContent();
  return Number((said ?? '').replaceAll(/[^\d.]/g, ''));
}

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a network runs, pauses, steps and begins anew', async ({ page }) => {
  await page.goto('/simulator');
  await expect(bar(page)).toContainText('1,000,000');
  await expect.poll(() => readout(page, 'Simulated')).toBeGreaterThan(0);
  await button(page, 'Pause').click();
  await expect(bar(page)).toContainText('Paused');
  const raster = page.getByRole('figure', { name: 'Spikes' });
  await expect(raster).toContainText('600 neurons');

  const before = await readout(page, 'Simulated');
  for (let i = 0; i < 20; i++) await button(page, 'One millisecond').click();
  await expect.poll(() => readout(page, 'Simulated')).toBeGreaterThan(before);

  await button(page, 'Reset').click();
  await expect(bar(page)).toContainText('– s');
  await expect(bar(page)).toContainText('Paused');
});

test('a network is edited, saved and opened again; what is wrong is said', async ({ page }) => {
  await page.goto('/simulator');
  const count = page
    .getByRole('group', { name: 'Population inhibitory' })
    .getByRole('textbox', { name: 'Neurons' });
  await count.fill('100');
  await expect(page.getByRole('combobox', { name: 'Built-in networks' })).toHaveValue('own');
  await expect.poll(() => readout(page, 'Neurons')).toBe(900);

  const download = page.waitForEvent('download');
  await button(page, 'Save as JSON').click();
  const path = await (await download).path();
  const network = JSON.parse(await readFile(path, 'utf8'));
  expect(network.populations[1].count).toBe(100);

  network.populations[1].model = 'no-such-model';
  const broken = { name: 'network.json', mimeType: 'application/json' };
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ ...broken, buffer: Buffer.from(JSON.stringify(network)) });
  await expect(page.getByRole('alert')).toContainText('no-such-model');
  await file.setInputFiles(path);
  await expect.poll(() => readout(page, 'Neurons')).toBe(900);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

for (const { language, details } of LANGUAGES) {
  test(`the simulator is accessible: ${language}`, details, async ({ page }) => {
    await page.goto(`/simulator?lang=${language}`);
    await expect(page.getByRole('figure').first()).toContainText('600');
    await page
      .getByRole('button')
      .filter({ hasText: /Pause|一時停止/ })
      .click();
    await expectAccessibleIn(language, page, 'the simulator');
  });
}
