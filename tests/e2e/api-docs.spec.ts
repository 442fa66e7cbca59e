import { expectAccessibleIn } from './axe.ts';
import { expect, REFUSED, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { visit } from './visit.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('an operation is found by a code it refuses with, and read', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/docs');
  await page.getByRole('searchbox', { name: 'Find an operation' }).fill('post reserved_name');
  const operations = page.getByRole('navigation', { name: 'Operations' });
  await expect(operations.getByRole('link')).toHaveText(['POST/services/register']);

  await operations.getByRole('link').click();
  await expect(page).toHaveURL('/docs?q=post+reserved_name&op=gateway_registerService');
  await expect(page.getByRole('heading', { level: 2, name: /services\/register/ })).toBeFocused();
  const body = page.getByRole('main').locator('details').filter({ hasText: 'instances' }).first();
  await body.locator('summary').click();
  await expect(body.getByText('region_id')).toBeVisible();
  await expect(page.getByRole('link', { name: 'validation_failed' })).toHaveAttribute(
    'href',
    '/problems/validation_failed',
  );

  await page.getByRole('button', { name: 'Copy as curl' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toMatch(/^curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/services\/register'/);
});

test('a GET is tried from the page', async ({ page, expected }) => {
  expected.push(REFUSED);
  await page.goto('/docs?op=gateway_getService');
  await page.getByLabel('name', { exact: true }).fill('registry');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(/^Status 200 after/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response', exact: true })).toContainText(
    '"name": "registry"',
  );

  await page.getByLabel('name', { exact: true }).fill('no/body');
  await expect(page.getByText('GET /services/no%2Fbody')).toBeVisible();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(/^Status 4\d\d after/)).toBeVisible();
});

test('a link to an operation that is not there says so', async ({ page }) => {
  await page.goto('/docs?op=gateway_noSuchThing');
  await expect(page.getByText('There is no operation gateway_noSuchThing')).toBeVisible();
});

test(
  'every operation of the document is shown without a mistake',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('/docs');
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
    await links.first().waitFor();
    expect(await links.count()).toBeGreaterThan(40);
    // In the page: a click from outside takes ten times as long as showing what it asks for.
    const wrong = await links.evaluateAll(async (all) => {
      const shown = () => document.querySelector('article h2 code')?.textContent;
      const missed: string[] = [];
      for (const link of all) {
        const path = link.querySelector('code')?.textContent ?? 'a link without a path';
        (link as HTMLAnchorElement).click();
        for (let frame = 0; frame < 600 && shown() !== path; frame++) {
          await new Promise(requestAnimationFrame);
        }
        if (shown() !== path) missed.push(path);
      }
      return missed;
    });
    expect(wrong).toEqual([]);
  },
);

for (const { language, details } of LANGUAGES) {
  test(`the screen is accessible: ${language}`, details, async ({ page }) => {
    for (const query of ['', 'op=gateway_registerService', 'op=registry_listModels', 'q=nothing']) {
      await visit(page, `/docs?${query}&lang=${language}`);
      await page.locator('main :is(article, search)').first().waitFor();
      await expectAccessibleIn(language, page, query);
    }
  });
}
