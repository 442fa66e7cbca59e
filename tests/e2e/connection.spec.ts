import { expect, test, UNREACHABLE } from './dashboard.ts';

test('the page notices that the gateway is gone, says so, and comes back with it', async ({
  page,
  emptyPlatform,
  expected,
}) => {
  expected.push(UNREACHABLE);
  await page.goto(`${emptyPlatform.url}/`);
  const bar = page.getByRole('banner');
  await expect(bar.getByText('Live')).toBeVisible();
  const events = page.getByRole('region', { name: 'Latest events' });
  await expect(events.getByText('Live', { exact: true })).toBeVisible();

  // Asks at once instead of at the next turn.
  const askNow = () => page.evaluate(() => window.dispatchEvent(new Event('online')));

  await emptyPlatform.stop();
  await askNow();
  await expect(bar.getByText('Reconnecting', { exact: true })).toBeVisible();
  await expect(events.getByText('Reconnecting', { exact: true })).toBeVisible();
  await expect(bar.getByText(/^retry in \d s$/)).toBeVisible();
  await expect(bar.getByText('The gateway is not responding. Reconnecting.')).toBeAttached();
  // A request is not repeated while its response is pending.
  await expect(async () => {
    await askNow();
    await expect(bar.getByText('Offline', { exact: true })).toBeVisible({ timeout: 200 });
  }).toPass();

  await emptyPlatform.start();
  await askNow();
  await expect(bar.getByText('Live')).toBeVisible();
  await expect(page.getByText('6 of 6 services are passing.')).toBeVisible();
  await expect(bar.getByText('The gateway is responding.')).toBeAttached({ timeout: 10_000 });
  await expect(events.getByText('Live', { exact: true })).toBeVisible();
});

test('the page is offline at once when the browser is', async ({ page, context, expected }) => {
  expected.push(UNREACHABLE);
  await page.goto('/');
  const bar = page.getByRole('banner');
  await expect(bar.getByText('Live')).toBeVisible();
  // Its part that is loaded last: offline, the page would complain of it.
  const events = page.getByRole('region', { name: 'Latest events' });
  await expect(events.getByText('Live', { exact: true })).toBeVisible();

  await context.setOffline(true);
  await expect(bar.getByText('Offline', { exact: true })).toBeVisible();

  await context.setOffline(false);
  await expect(bar.getByText('Live')).toBeVisible();
});

test('the overview says so when it never reached the gateway', async ({ page, expected }) => {
  expected.push(/Failed to load resource/);
  for (const path of ['**/services', '**/services/health', '**/registry/models?*', '**/health']) {
    await page.route(path, (route) => route.abort());
  }
  await page.goto('/');

  await expect(
    page.getByText('The gateway cannot be reached, so the state of the services is unknown.'),
  ).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('The gateway cannot be reached.');
});
