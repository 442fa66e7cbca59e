import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expect, REFUSED, test } from './dashboard.ts';
import { MODEL_COUNT, RICH } from './models.ts';

const rows = (page: Page) => page.getByRole('table', { name: 'Registry' }).getByRole('row');

test.describe('the list of models', () => {
  test('shows a page and the rest on request', async ({ page }) => {
    await page.goto('/models');
    await expect(page.getByText(`20 of ${MODEL_COUNT} models`)).toBeVisible();
    // The head is a row too.
    await expect(rows(page)).toHaveCount(21);

    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(rows(page)).toHaveCount(MODEL_COUNT + 1);
    await expect(page.getByRole('button', { name: 'Show more' })).toBeHidden();
  });

  test('follows the filters while one types, and keeps them in the address', async ({ page }) => {
    await page.goto('/models');
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('ters 1');
    await expect(page.getByText('11 of 11 models')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Type' }).fill('text');
    await expect(page.getByText('5 of 5 models')).toBeVisible();
    await expect(page).toHaveURL('/models?name=ters+1&type=text');

    await page.reload();
    await expect(page.getByText('5 of 5 models')).toBeVisible();
    await expect(page.getByRole('searchbox', { name: 'Type' })).toHaveValue('text');
  });

  test('takes full-width letters for what they stand for', async ({ page }) => {
    await page.goto('/models');
    await page.getByRole('searchbox', { name: 'Name contains' }).fill('Ｌｅｔｔｅｒｓ ２０');

    await expect(page.getByText('1 of 1 model')).toBeVisible();
  });

  test('says when nothing matches, and offers to clear the filters', async ({ page }) => {
    await page.goto('/models?name=nothing-like-it&lang=en');
    await expect(page.getByText('No model matches')).toBeVisible();

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByText(`20 of ${MODEL_COUNT} models`)).toBeVisible();
    await expect(page).toHaveURL('/models?lang=en');
  });

  test('says what to do when there is none at all', async ({ page, emptyPlatform }) => {
    await page.goto(`${emptyPlatform.url}/models`);

    await expect(page.getByText('No models yet')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeHidden();
  });

  test('says what went wrong, and asks again', async ({ page, expected }) => {
    expected.push(/Failed to load resource/);
    await page.route('**/registry/models?*', (route) => route.abort());
    await page.goto('/models');
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('The gateway cannot be reached.');

    await page.unroute('**/registry/models?*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(`20 of ${MODEL_COUNT} models`)).toBeVisible();
  });
});

test.describe('a model', () => {
  test('is reached from the list and shows its latest version', async ({ page }) => {
    await page.goto('/models');
    await page.getByRole('link', { name: RICH.name }).click();

    await expect(page).toHaveURL(`/models/${RICH.id}`);
    await expect(page.getByRole('heading', { level: 1, name: RICH.name })).toBeFocused();
    await expect(page.getByText('Tells ten spoken digits apart.')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Version shown' })).toHaveValue('1.1.0');
  });

  test('gives its files byte by byte', async ({ page }) => {
    await page.goto(`/models/${RICH.id}`);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: RICH.file }).click();

    expect(await readFile(await (await download).path())).toEqual(Buffer.from(RICH.bytes));
  });

  test('shows a digest shortened, whole on focus, and copies it', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/models/${RICH.id}`);
    const button = page.getByRole('button', { name: `Copy the digest of ${RICH.file}` });
    await button.focus();
    const tooltip = page.getByRole('tooltip');
    await expect(tooltip).toHaveText(/^sha256:[0-9a-f]{64}$/);
    const digest = await tooltip.textContent();

    await button.click();
    await expect(page.getByText('Copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(digest);
  });

  test('moves between its tabs with the arrow keys, and keeps the tab in the address', async ({
    page,
  }) => {
    await page.goto(`/models/${RICH.id}`);
    await page.getByRole('tab', { name: 'Files' }).focus();
    await page.keyboard.press('ArrowRight');

    await expect(page.getByRole('tab', { name: 'Details' })).toBeFocused();
    await expect(page.getByRole('tabpanel', { name: 'Details' })).toContainText('dataset: fsdd');
    await expect(page).toHaveURL(`/models/${RICH.id}?tab=details`);
  });

  test('lists its versions, highest first, each a link to itself', async ({ page }) => {
    await page.goto(`/models/${RICH.id}?tab=versions`);
    const links = page.getByRole('table', { name: 'Versions' }).getByRole('link');
    await expect(links).toHaveText([...RICH.versions]);

    await links.filter({ hasText: '1.0.0-rc.1' }).click();
    await expect(page).toHaveURL(`/models/${RICH.id}?version=1.0.0-rc.1`);
    await expect(page.getByRole('combobox', { name: 'Version shown' })).toHaveValue('1.0.0-rc.1');

    await page.goBack();
    await expect(page.getByRole('tab', { name: 'Versions' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
  });

  test('that is registered but empty says so', async ({ page }) => {
    await page.goto('/models/letters-01');

    await expect(page.getByText('No files yet')).toBeVisible();
    await expect(page.getByText('Pending')).toBeVisible();
  });

  test('that does not exist says so, with the code and nothing to retry', async ({
    page,
    expected,
  }) => {
    expected.push(REFUSED);
    await page.goto('/models/no-such-model');

    const alert = page.getByRole('alert');
    await expect(alert).toContainText('There is no such model.');
    await expect(alert).toContainText('model_not_found');
    await expect(alert.getByRole('button', { name: 'Try again' })).toBeHidden();
  });
});
