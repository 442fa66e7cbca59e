import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { violations } from './axe.ts';
import { expect, REFUSED, test as base } from './dashboard.ts';
import { startGateway } from './gateway-process.ts';

interface Closed {
  readonly url: string;
  /** The key that its first start has made. */
  readonly key: string;
}

/** A platform that asks everybody for credentials. */
const test = base.extend<object, { closed: Closed }>({
  closed: [
    async ({ build }, use) => {
      const state = mkdtempSync(join(tmpdir(), 'spikegrid-closed-'));
      const gateway = await startGateway(build, state, ['--auth', 'required']);
      const key = readFileSync(join(state, 'bootstrap-key'), 'utf8').trim();
      await use({ url: gateway.url, key });
      await gateway.stop();
      rmSync(state, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('one signs in where one came to, administers, and signs out', async ({
  page,
  closed,
  expected,
}) => {
  expected.push(REFUSED);
  await page.goto(`${closed.url}/keys`);
  await expect(heading(page, 'Sign in')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeHidden();

  await signIn(page, `${closed.key.slice(0, -4)}0000`);
  await expect(page.getByRole('alert')).toContainText('unauthenticated');
  await signIn(page, closed.key);
  await expect(heading(page, 'Keys and audit')).toBeFocused();
  await expect(page).toHaveURL(`${closed.url}/keys`);
  expect(
    await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })),
  ).not.toContain('sg_');

  // What changes something carries the session's CSRF token: without it this is refused.
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('with a session');
  await dialog.getByRole('checkbox', { name: /^infer/ }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('This is the only time it is shown')).toBeVisible();
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
  closed,
  expected,
}) => {
  expected.push(REFUSED);
  await page.goto(`${closed.url}/gateway`);
  await signIn(page, closed.key);
  await expect(page.getByRole('row', { name: /^registry/ })).toBeVisible();

  await context.clearCookies();
  await page.getByRole('link', { name: 'Models' }).click();
  await expect(heading(page, 'Sign in')).toBeVisible();
  await signIn(page, closed.key);
  await expect(heading(page, 'Models')).toBeVisible();
  await expect(page.getByText('No models yet')).toBeVisible();
});

test('a session begun anew in another tab is good for this one', async ({
  page,
  context,
  closed,
  expected,
}) => {
  expected.push(REFUSED);
  await page.goto(`${closed.url}/keys`);
  await signIn(page, closed.key);
  await expect(heading(page, 'Keys and audit')).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${closed.url}/keys`);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await signIn(other, closed.key);
  await expect(heading(other, 'Keys and audit')).toBeVisible();

  // This tab still holds the CSRF token of the session before.
  await page.getByRole('button', { name: 'Create a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('from the first tab');
  await dialog.getByRole('checkbox', { name: /^infer/ }).check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('This is the only time it is shown')).toBeVisible();
});

for (const language of ['en', 'ja']) {
  test(`the sign-in is accessible in both themes: ${language}`, async ({
    page,
    closed,
    expected,
  }) => {
    expected.push(REFUSED);
    await page.goto(`${closed.url}/?lang=${language}`);
    await page.locator('main form').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violations(page), colorScheme).toEqual([]);
    }
  });
}
