import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessibleIn, violations } from './axe.ts';
import { expect, REFUSED, test as base } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { visit } from './visit.ts';

interface Upstream {
  readonly url: string;
}

/** A service outside of the platform that is well. */
const test = base.extend<{ upstream: Upstream }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads from it what a fixture needs
  upstream: async ({}, use) => {
    const server = createServer((_, answer) => {
      answer.setHeader('content-type', 'application/json');
      answer.end('{"status":"ok"}');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await use({ url: `http://127.0.0.1:${port}/` });
    server.closeAllConnections();
    server.close();
  },
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a service is registered, looked at, changed and deregistered', async ({
  page,
  platformToFill,
  upstream,
}) => {
  await page.goto(`${platformToFill.url}/gateway`);
  await expect(page.getByText('The strict health check passes')).toBeVisible();

  await page.getByRole('button', { name: 'Register a service' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('echo');
  await dialog.getByLabel('Address').fill(upstream.url);
  await dialog.getByLabel('Tags').fill('trial, gpu');
  await dialog.getByLabel('Interval (s)').fill('1');
  await dialog.getByLabel('Timeout (s)').fill('1');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row', { name: /^echo/ });
  await expect(row).toContainText('Passing', { timeout: 30_000 });
  await expect(row).toContainText('Registered');

  await row.getByRole('link', { name: 'echo' }).click();
  await expect(page).toHaveURL(/\/gateway\?service=echo$/);
  await expect(page.getByRole('heading', { level: 1, name: 'echo' })).toBeFocused();
  await expect(page.getByRole('table', { name: 'Instances' })).toContainText(upstream.url);

  await page.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Version').fill('2.0.0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('definition').filter({ hasText: '2.0.0' })).toBeVisible();

  await page.getByRole('link', { name: 'Show it in the audit log' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row')).toHaveCount(3);
  await expect(log).toContainText('Service registered');
  await expect(log).toContainText('Service changed');

  await page.goBack();
  await page.getByRole('button', { name: 'Deregister' }).click();
  await dialog.getByRole('button', { name: 'Deregister echo' }).click();
  await expect(page.getByText('echo is no longer registered.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Gateway' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^registry/ })).toBeVisible();
  await expect(row).toBeHidden();
});

test('what is wrong with a registration is said at its fields', async ({ page, expected }) => {
  expected.push(REFUSED);
  await page.goto('/gateway');
  await page.getByRole('button', { name: 'Register a service' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Not A Label');
  await dialog.getByLabel('Address').fill('ftp://example.test');
  await dialog.getByLabel('Weight').fill('heavy');
  await dialog.getByRole('button', { name: 'Register' }).click();

  const name = dialog.getByLabel('Name', { exact: true });
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toHaveAccessibleDescription(/expected a lower-case DNS label/);
  await expect(dialog.getByLabel('Address')).toHaveAccessibleDescription(/http or https/);
  await expect(dialog.getByLabel('Weight')).toHaveAccessibleDescription(/expected number/);

  await name.fill('registry');
  await dialog.getByLabel('Address').fill('http://127.0.0.1:1/');
  await dialog.getByLabel('Weight').fill('1');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await expect(dialog.getByRole('alert')).toContainText('reserved_name');
});

test('the list is filtered, and the filter stays in the address', async ({ page }) => {
  await page.goto('/gateway');
  await expect(page.getByRole('row', { name: /^registry/ })).toBeVisible();
  await page.getByLabel('Status').selectOption('Critical');
  await expect(page.getByText('No service matches')).toBeVisible();
  await expect(page).toHaveURL(/\?status=critical$/);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('row', { name: /^registry/ })).toBeVisible();
});

test('a service that is not there is said to be missing', async ({ page, expected }) => {
  expected.push(REFUSED);
  await page.goto('/gateway?service=nobody');
  await expect(page.getByRole('alert')).toContainText('service_not_found');
});

for (const { language, details } of LANGUAGES) {
  test(`the screen is accessible: ${language}`, details, async ({ page, expected }) => {
    expected.push(REFUSED);
    for (const path of ['/gateway', '/gateway?service=registry', '/gateway?service=nobody']) {
      await visit(page, `${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
      await page.locator('main :is(table, [role=alert])').first().waitFor();
      await expectAccessibleIn(language, page, path);
    }
    await visit(page, `/gateway?lang=${language}`);
    await page.locator('main header button').click();
    await page.getByRole('dialog').waitFor();
    expect(await violations(page), 'the form').toEqual([]);
  });
}
