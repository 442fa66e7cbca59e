import type { Page } from 'playwright/test';
import { expectAccessibleIn, violations } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { reportMetrics } from './measured.ts';
import { visit } from './visit.ts';

const dialog = (page: Page) => page.getByRole('dialog');

for (const { language, details } of LANGUAGES) {
  test(
    `every part of alerting is accessible: ${language}`,
    details,
    async ({ page, emptyPlatform }) => {
      const parts = ['list', 'rules', 'silences', 'receivers', 'history'].map(
        (tab) => `tab=${tab}`,
      );
      for (const query of [...parts, 'rule=%2B', 'rule=no-such-rule', 'alert=0123456789abcdef']) {
        await visit(page, `${emptyPlatform.url}/alerts?${query}&lang=${language}`);
        await page.locator('main h1').waitFor();
        await expect(page.locator('main [class*="_lines_"]')).toHaveCount(0);
        await expectAccessibleIn(language, page, query);
      }
    },
  );
}

test('a rule is tried on the past, made, fires, and is silenced', async ({
  page,
  platformToFill,
}) => {
  await reportMetrics(platformToFill.url, 'queueing');
  await page.goto(`${platformToFill.url}/alerts?tab=rules`);
  await page.getByRole('button', { name: 'New rule' }).click();
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByText('Enter a name.')).toBeVisible();

  await page.getByRole('textbox', { name: 'Metric' }).fill('queue_depth');
  await page.getByRole('textbox', { name: 'Only series with' }).fill('service="queueing"');
  await page.getByRole('combobox', { name: 'Aggregation' }).selectOption('last');
  await page.getByRole('textbox', { name: 'Threshold' }).fill('10');
  await page.getByRole('textbox', { name: 'Pending for' }).fill('0s');
  await page.getByRole('radio', { name: '1 hour' }).check();
  await expect(page.getByText('It would have fired 1 time.')).toBeVisible();
  await expect(page.getByRole('figure')).toContainText('pool=a');
  expect(await violations(page)).toEqual([]);

  await page.getByRole('textbox', { name: 'Name' }).fill('DeepQueue');
  await page.getByRole('textbox', { name: 'Summary' }).fill('Pool {{ $labels.pool }} is deep');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await expect(page.getByRole('table', { name: 'Rules' })).toContainText('DeepQueue');

  await page.getByRole('tab', { name: 'Alerts' }).click();
  const row = page.getByRole('row', { name: /DeepQueue/ });
  await expect(row).toContainText('Firing', { timeout: 60_000 });
  await expect(row).toContainText('Pool a is deep');
  await row.getByRole('button', { name: 'DeepQueue' }).click();
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Silence', exact: true }).click();
  await expect(dialog(page).getByRole('textbox', { name: 'Alerts with' })).toHaveValue(/pool="a"/);
  await dialog(page).getByRole('button', { name: 'Silence', exact: true }).click();
  await expect(row).toContainText('Suppressed', { timeout: 60_000 });

  await page.getByRole('tab', { name: 'Silences' }).click();
  await page.getByRole('button', { name: 'End now' }).click();
  await dialog(page).getByRole('button', { name: 'End now' }).click();
  await expect(page.getByRole('table', { name: 'Silences' })).toContainText('Expired');

  await page.getByRole('tab', { name: 'History' }).click();
  await expect(page.getByRole('table', { name: 'History' })).toContainText('DeepQueue');
});

test('a rule that somebody else changed is not overwritten', async ({
  page,
  emptyPlatform,
  expected,
}) => {
  expected.push(/status of 412/);
  await page.goto(`${emptyPlatform.url}/alerts?rule=slow-requests`);
  await page.getByRole('textbox', { name: 'Summary' }).fill('mine');
  const url = `${emptyPlatform.url}/monitoring/alerts/rules/slow-requests`;
  const { name, expr } = await (await fetch(url)).json();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name, expr, annotations: { summary: 'theirs' } });
  // The list is asked again only after a while, so the form is still of what was.
  expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
  await page.getByRole('button', { name: 'Save rule' }).click();

  await expect(page.getByText('Someone else changed this rule')).toBeVisible();
});

test('a receiver shows its secret once, and is deleted', async ({ page, platformToFill }) => {
  await page.goto(`${platformToFill.url}/alerts?tab=receivers`);
  await page.getByRole('button', { name: 'New receiver' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('On call');
  await dialog(page).getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook');
  await dialog(page)
    .getByRole('checkbox', { name: /^failover\.executed/ })
    .check();
  await dialog(page)
    .getByRole('checkbox', { name: /^job\.status/ })
    .check();
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Create receiver' }).click();

  const secret = await dialog(page).getByRole('status', { name: 'Secret' }).textContent();
  expect(secret?.length).toBeGreaterThanOrEqual(16);
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'I have saved it' }).click();
  const receivers = page.getByRole('table', { name: 'Receivers' });
  await expect(receivers).toContainText('On call');
  await expect(receivers).toContainText('job.status and failover.executed');
  expect(await page.content()).not.toContain(secret ?? '');

  await page.getByRole('button', { name: 'Delete On call' }).click();
  await dialog(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No receiver yet')).toBeVisible();
});
