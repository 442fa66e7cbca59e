import type { Page } from 'playwright/test';
import { expectAccessibleIn } from './axe.ts';
import { expect, REFUSED, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('one signs in where one came to, administers, and signs out', async ({
  page,
  closedPlatform,
  expected,
}) => {
  expected.push(REFUSED);
  await page.goto(`${closedPlatform.url}/keys`);
  await expect(heading(page, 'Sign in')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeHidden();

  await signIn(page, `${closedPlatform.key.slice(0, -4)}0000`);
  await expect(page.getByRole('alert')).toContainText('unauthenticated');
  await signIn(page, closedPlatform.key);
  await expect(heading(page, 'Keys and audit')).toBeFocused();
  await expect(page).toHaveURL(`${closedPlatform.url}/keys`);
  expect(
    await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
  ).not.toContain('sg_');

  // Requests that change state carry the session's CSRF token; without it, this one is refused.
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('with a session');
  await dialog.getByRole('checkbox', { name: /^infer/ }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('This is the only time the key is shown')).toBeVisible();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();

  await page.reload();
  await expect(page.getByRole('row', { name: /with a session/ })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(heading(page, 'Sign in')).toBeFocused();
  await page.reload();
  await expect(heading(page, 'Sign in')).toBeVisible();
});

test('a session that ended elsewhere leads to the sign-in, and back', async ({
  page,
  context,
  closedPlatform,
  expected,
}) => {
  expected.push(REFUSED);
  await page.goto(`${closedPlatform.url}/gateway`);
  await signIn(page, closedPlatform.key);
  await expect(page.getByRole('row', { name: /^registry/ })).toBeVisible();

  await context.clearCookies();
  await page.getByRole('link', { name: 'Models' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await signIn(page, closedPlatform.key);
  await expect(heading(page, 'Models')).toBeVisible();
  await expect(page.getByText('No models yet')).toBeVisible();
});

test('a session begun anew in another tab is good for this one', async ({
  page,
  context,
  closedPlatform,
  expected,
}) => {
  expected.push(REFUSED);
  await page.goto(`${closedPlatform.url}/keys`);
  await signIn(page, closedPlatform.key);
  await expect(heading(page, 'Keys and audit')).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${closedPlatform.url}/keys`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await signIn(other, closedPlatform.key);
  await expect(heading(other, 'Keys and audit')).toBeVisible();

  // This tab still holds the CSRF token of the session before.
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('from the first tab');
  await dialog.getByRole('checkbox', { name: /^infer/ }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('This is the only time the key is shown')).toBeVisible();
});

for (const { language, details } of LANGUAGES) {
  test(
    `the sign-in is accessible: ${language}`,
    details,
    async ({ page, closedPlatform, expected }) => {
      expected.push(REFUSED);
      await page.goto(`${closedPlatform.url}/?lang=${language}`);
      await page.locator('main form').waitFor();
      await expectAccessibleIn(language, page, 'signing in');
    },
  );
}
