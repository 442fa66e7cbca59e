import type { Page } from 'playwright/test';
import { expect, REFUSED, test } from './dashboard.ts';
import { visit } from './visit.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test.describe('the shell', () => {
  test('names each screen in its heading and its title', async ({ page, expected }) => {
    expected.push(REFUSED);
    const screens = [
      ['/', 'Overview'],
      ['/lab', 'Training lab'],
      ['/models', 'Models'],
      ['/gateway', 'Gateway'],
      ['/keys', 'Keys and audit'],
      ['/docs', 'API'],
      ['/settings', 'Settings'],
      ['/models/no-such-model', 'no-such-model'],
      ['/no/such/screen', 'Page not found'],
    ] as const;

    for (const [path, name] of screens) {
      await visit(page, path);
      await expect(heading(page, name)).toBeVisible();
      await expect(page).toHaveTitle(`${name} · spikegrid`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    }
  });

  test('is walked through with the keyboard alone', async ({ page }) => {
    await page.goto('/');
    await expect(heading(page, 'Overview')).toBeVisible();

    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();

    await page.getByRole('link', { name: 'Settings' }).focus();
    await page.keyboard.press('Enter');
    await expect(heading(page, 'Settings')).toBeFocused();
    await expect(page).toHaveURL('/settings');

    await page.goBack();
    await expect(heading(page, 'Overview')).toBeFocused();
  });

  test('leaves the focus at the top of the page when it is opened', async ({ page }) => {
    await page.goto('/settings');
    await expect(heading(page, 'Settings')).toBeVisible();

    await expect(heading(page, 'Settings')).not.toBeFocused();
  });

  test('marks where one is, in the navigation', async ({ page, expected }) => {
    expected.push(REFUSED);
    const current = page.getByRole('navigation').locator('[aria-current=page]');

    await page.goto('/lab');
    await expect(current).toHaveText('Training lab');
    await page.goto('/models/no-such-model');
    await expect(current).toHaveText('Models');
  });

  test('moves its navigation into a drawer on a narrow page', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto('/');
    await expect(page.getByRole('navigation')).toBeHidden();

    await page.getByRole('button', { name: 'Menu' }).click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await expect(drawer.getByRole('radio', { name: '日本語' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();

    await page.keyboard.press('Enter');
    await drawer.getByRole('link', { name: 'Models' }).click();
    await expect(drawer).toBeHidden();
    await expect(heading(page, 'Models')).toBeFocused();
  });

  test('keeps its frame when a screen cannot be loaded, and loads it on request', async ({
    page,
    expected,
  }) => {
    expected.push(/Failed to load resource/, /Failed to fetch dynamically imported module/);
    await page.goto('/');
    await page.route('**/assets/Settings*.js', (route) => route.abort());
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(heading(page, 'This screen failed')).toBeFocused();
    await expect(page.getByRole('navigation')).toBeVisible();

    await page.unroute('**/assets/Settings*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page, 'Settings')).toBeVisible();
  });

  test('is served with a policy that allows nothing inline, and breaks none of it', async ({
    page,
  }) => {
    const answer = await page.goto('/');
    await expect(heading(page, 'Overview')).toBeVisible();

    expect(answer?.headers()['content-security-policy']).toContain("style-src 'self';");
    const html = (await answer?.text()) ?? '';
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*src=)/);
    // The threads of the WebAssembly backend need it.
    expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
  });
});

test.describe('the language', () => {
  test('changes everything at once, and stays after a reload', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('radio', { name: '日本語' }).check();

    await expect(heading(page, '概要')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
    await expect(page).toHaveTitle('概要 · spikegrid');

    await page.goto('/settings');
    await expect(heading(page, '設定')).toBeVisible();
  });

  test('goes into the address and along every link, so that a copied link has it', async ({
    page,
    context,
  }) => {
    await page.goto('/');
    await page.getByRole('radio', { name: '日本語' }).check();
    await expect(page).toHaveURL('/?lang=ja');

    const link = page.getByRole('link', { name: 'モデル', exact: true });
    await expect(link).toHaveAttribute('href', '/models?lang=ja');
    await link.click();
    await expect(page).toHaveURL('/models?lang=ja');

    await context.clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await expect(heading(page, 'モデル')).toBeVisible();
  });

  test.describe('of the browser', () => {
    test.use({ locale: 'ja-JP' });

    test('is the first one', async ({ page }) => {
      await page.goto('/');

      await expect(heading(page, '概要')).toBeVisible();
      await expect(page).toHaveURL('/');
    });
  });
});

const ground = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

test.describe('the theme', () => {
  test('follows the system until one is chosen, which then stays', async ({ page }) => {
    const html = page.locator('html');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/');
    await expect(html).toHaveAttribute('data-theme', 'dark');
    const dark = await ground(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(html).toHaveAttribute('data-theme', 'light');
    const light = await ground(page);
    expect(light).not.toBe(dark);

    await page.getByRole('radio', { name: 'Dark' }).check();
    await expect(html).toHaveAttribute('data-theme', 'dark');
    expect(await ground(page)).toBe(dark);
    await page.reload();
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
    expect(await ground(page)).toBe(dark);

    await page.getByRole('radio', { name: 'System' }).check();
    await expect(html).toHaveAttribute('data-theme', 'light');
    expect(await ground(page)).toBe(light);
  });

  test('is chosen with the arrow keys as well', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/');
    await page.getByRole('radio', { name: 'System' }).focus();

    await page.keyboard.press('ArrowRight');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });
});
