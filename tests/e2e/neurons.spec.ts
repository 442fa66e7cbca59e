import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './dashboard.ts';

const figure = (page: Page, name: string) => page.getByRole('figure', { name, exact: true });

/** How often the neuron fired, as the sentence under its membrane potential says. */
async function spikes(page: Page): Promise<number> {
  const said = await figure(page, 'Membrane potential').locator('figcaption').textContent();
  return Number(/^(\d+) spike/.exec(said ?? '')?.[1] ?? 0);
}

for (const language of ['en', 'ja'] as const) {
  test(`the Neuron lab is accessible in both themes: ${language}`, async ({ page }) => {
    await page.goto(`/neurons?lang=${language}`);
    await expect(page.getByRole('figure')).toHaveCount(5);
    await expect(page.locator('figcaption').first()).toContainText('10');
    await expectAccessible(page, language);
  });
}

test('a slider by keyboard changes the spikes at once, and the address keeps it', async ({
  page,
}) => {
  await page.goto('/neurons');
  await expect.poll(() => spikes(page)).toBe(10);
  const current = page.getByRole('slider', { name: 'Input current I', exact: true });
  await current.focus();
  await page.keyboard.press('End');
  // More current, more spikes.
  await expect.poll(() => spikes(page)).toBeGreaterThan(20);
  await expect(page).toHaveURL(/p=I%3A40/);

  await page.reload();
  await expect.poll(() => spikes(page)).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'Initial values' }).click();
  await expect.poll(() => spikes(page)).toBe(10);
});

test('each model and preset has its own rhythm and its own parameters', async ({ page }) => {
  await page.goto('/neurons?dt=1');
  const preset = page.getByRole('combobox', { name: 'Preset' });
  await preset.selectOption({ label: 'FS, fast spiking' });
  // Fast-spiking neurons fire many times as often as regular ones at the same current.
  await expect.poll(() => spikes(page)).toBeGreaterThan(25);
  await expect(figure(page, 'Phase plane')).toContainText('nullclines do not meet');

  await page.getByRole('combobox', { name: 'Neuron model' }).selectOption('lif');
  await expect(page.getByRole('textbox', { name: /Membrane time constant/ })).toHaveValue('20');
  await expect(figure(page, 'Phase plane')).toHaveCount(0);
  await expect.poll(() => spikes(page)).toBeGreaterThan(5);
  await expect(figure(page, 'f-I curve')).toContainText(/Silent up to 0.0\d+/);
});

test('the traces are read by keyboard, as a table and as a file with every step', async ({
  page,
}) => {
  await page.goto('/neurons?ms=100');
  const membrane = figure(page, 'Membrane potential');
  await expect(membrane).toContainText('spike');
  const cursor = page.getByRole('slider', { name: 'Cursor over Membrane potential' });
  await cursor.focus();
  await page.keyboard.press('Home');
  await expect(cursor).toHaveAttribute('aria-valuetext', /^0 ms: Membrane potential -\d/);

  const download = page.waitForEvent('download');
  await membrane.getByRole('button', { name: /as CSV/ }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  // 100 ms in steps of 0.5 ms, and the head.
  expect(csv.split('\r\n').filter((line) => line.startsWith('Membrane')).length).toBe(200);
});
