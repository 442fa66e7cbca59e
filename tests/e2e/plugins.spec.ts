import { expectAccessible } from './axe.ts';
import { expect, test } from './dashboard.ts';

const STATISTICS = '/plugins?plugin=SpikeTrainStatisticsPlugin';

for (const language of ['en', 'ja'] as const) {
  test(`the plugins are accessible in both themes: ${language}`, async ({ page }) => {
    await page.goto(`/plugins?lang=${language}`);
    await page.getByRole('table').waitFor();
    await expectAccessible(page, 'the list');
    await page.goto(`${STATISTICS}&lang=${language}`);
    await page.getByRole('table').first().waitFor();
    await expectAccessible(page, 'one plugin');
  });
}

test('a plugin of this tab is found, activated, set and deactivated by keyboard', async ({
  page,
}) => {
  await page.goto('/plugins?type=MONITORING');
  const link = page.getByRole('link', { name: 'SpikeTrainStatisticsPlugin' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/plugin=SpikeTrainStatisticsPlugin/);

  await page.getByRole('button', { name: 'Activate' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Deactivate' })).toBeFocused();
  const window = page.getByRole('textbox', { name: 'Counting window (ms)' });
  await window.fill('80');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('table', { name: 'Log' })).toContainText('configuration');
  await expect(window).toHaveValue('80');

  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByRole('button', { name: 'Activate' })).toBeVisible();
});
