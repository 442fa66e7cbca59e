import { readFile } from 'node:fs/promises';
import { expectAccessibleIn, violations } from './axe.ts';
import { expect, REFUSED, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { reportMetrics } from './measured.ts';

for (const { language, details } of LANGUAGES) {
  test(
    `rate, errors and duration of a service: ${language}`,
    details,
    async ({ page, platformToFill }) => {
      await reportMetrics(platformToFill.url, `infer-${language}`);
      await page.goto(
        `${platformToFill.url}/telemetry?service=infer-${language}&range=15m&lang=${language}`,
      );
      await expect(page.getByRole('figure')).toHaveCount(3);
      // A tenth of the requests fail.
      await expect(page.getByRole('figure').nth(1)).toContainText('10%');
      await expectAccessibleIn(language, page, 'the metrics');
    },
  );
}

test('the cursors of all charts move together, by keyboard', async ({ page, platformToFill }) => {
  await reportMetrics(platformToFill.url, 'synced');
  await page.goto(`${platformToFill.url}/telemetry?service=synced&range=15m&live=0`);
  const rate = page.getByRole('slider', { name: 'Cursor over Rate' });
  await rate.focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 8; step++) await page.keyboard.press('PageUp');

  const at = await rate.getAttribute('aria-valuenow');
  for (const name of ['Errors', 'Duration']) {
    const other = page.getByRole('slider', { name: `Cursor over ${name}` });
    await expect(other).toHaveAttribute('aria-valuenow', at ?? '');
  }
  await expect(rate).toHaveAttribute('aria-valuetext', /requests .*\/s/);
});

test('any metric is chosen and read as a table and a file; the address keeps it', async ({
  page,
  platformToFill,
}) => {
  await reportMetrics(platformToFill.url, 'chosen');
  await page.goto(`${platformToFill.url}/telemetry?service=chosen&range=15m`);
  await page.getByRole('combobox', { name: 'Metric' }).selectOption('queue_depth');
  const chart = page.getByRole('figure', { name: 'queue_depth, avg' });
  await expect(chart).toContainText('pool=a 12');
  await expect(page).toHaveURL(/metric=queue_depth/);

  await chart.getByRole('radio', { name: 'Table' }).check();
  await expect(chart.getByRole('row').nth(1)).toContainText('12');
  const download = page.waitForEvent('download');
  await chart.getByRole('button', { name: /as CSV/ }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toContain('Time,pool=a');
});

test('a service that nobody reports says how to, with a command that works', async ({
  page,
  context,
  platformToFill,
  expected,
}) => {
  // The catalogue of a service that nobody knows.
  expected.push(REFUSED);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${platformToFill.url}/telemetry?service=nobody`);
  await expect(page.getByText('No metrics from nobody')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Copy the command' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const [, url = '', body = ''] = /^curl (\S+) .* -d '(.*)'$/.exec(command) ?? [];
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(202);
});
