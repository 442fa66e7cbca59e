import { expectAccessibleIn, violations } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { visit } from './visit.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a key is made, shown once, works, and is revoked', async ({
  page,
  context,
  platformToFill,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { url } = platformToFill;
  await page.goto(`${url}/keys`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await expect(dialog.getByText('Choose at least one scope.')).toBeVisible();

  await dialog.getByLabel('Name').fill('the e2e test');
  await dialog.getByRole('checkbox', { name: /^admin/ }).check();
  await dialog.getByLabel('Expires').selectOption('In 7 days');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('This is the only time the key is shown')).toBeVisible();

  // Neither Escape nor a click beside it loses what cannot be seen again.
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Copy the key' }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^sg_[0-9a-z]{12}_[0-9a-z]{52}$/);
  const answer = await fetch(`${url}/api/keys`, { headers: { authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await expect(dialog).toBeHidden();
  expect(await page.content()).not.toContain(key);

  const row = page.getByRole('row', { name: /the e2e test/ });
  await expect(row).toContainText('Active');
  await row.getByRole('button', { name: 'Revoke the e2e test' }).click();
  await dialog.getByRole('button', { name: 'Revoke the e2e test' }).click();
  await expect(row).toContainText('Revoked');
  const refused = await fetch(`${url}/api/keys`, { headers: { authorization: `Bearer ${key}` } });
  expect(refused.status).toBe(401);

  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByLabel('Action').selectOption('Key revoked');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row')).toHaveCount(2);
  await expect(log).toContainText('name: the e2e test');
  await expect(page).toHaveURL(/tab=audit&action=key\.revoke$/);
  await page.getByLabel('Actor').fill('somebody-else');
  await expect(page.getByText('No entry matches')).toBeVisible();
});

test('the audit log comes in pages', async ({ page, platformToFill }) => {
  const { url } = platformToFill;
  for (let index = 0; index < 51; index++) {
    const body = JSON.stringify({ name: `key ${index}`, scopes: ['infer'] });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/api/keys`, { method: 'POST', headers, body });
  }
  await page.goto(`${url}/keys?tab=audit&action=key.create`);
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect(rows).toHaveCount(51);
  await page.getByRole('button', { name: 'Show older entries' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(52);
  await expect(page.getByText('No more entries.')).toBeVisible();
});

test('a local user is recognised', async ({ page }) => {
  await page.goto('/keys?tab=me');
  const panel = page.getByRole('tabpanel', { name: 'My access' });
  await expect(panel).toContainText('Local user');
  await expect(panel.getByText('admin', { exact: true })).toBeVisible();
});

for (const { language, details } of LANGUAGES) {
  test(`the screen is accessible: ${language}`, details, async ({ page }) => {
    for (const tab of ['keys', 'audit', 'me']) {
      await visit(page, `/keys?tab=${tab}&lang=${language}`);
      await page.locator('[role=tabpanel] h2').waitFor();
      await expect(page.locator('main [class*="_lines_"]')).toHaveCount(0);
      await expectAccessibleIn(language, page, tab);
    }
    await page.goto(`/keys?lang=${language}`);
    await page.locator('[role=tabpanel] header button').click();
    await page.getByRole('dialog').waitFor();
    expect(await violations(page), 'the form').toEqual([]);
  });
}
