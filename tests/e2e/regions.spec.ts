import { createGeoClient } from '../../edge/geo/contract/client.ts';
import { violations } from './axe.ts';
import { expect, REFUSED, test, UNREACHABLE } from './dashboard.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('a failover is planned, carried out and explained, and one that is too late is refused', async ({
  page,
  expected,
  platformToFill: { url },
}) => {
  expected.push(REFUSED);
  const geo = createGeoClient({ base: url });
  const { active_region: from, epoch } = await geo.geoStatus();
  await page.goto(`${url}/regions`);
  const map = page.getByRole('figure', { name: 'World map' });
  await expect(map.getByText(`Requests go to ${from} in epoch ${epoch}.`)).toBeVisible();

  await map.getByRole('button', { name: `${from}, Online` }).click();
  await expect(page).toHaveURL(`${url}/regions?region=${from}`);
  await page.getByRole('button', { name: 'Fail over from here' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Target').selectOption('eu-west-1');
  await dialog.getByRole('button', { name: 'Show the plan' }).click();
  const plan = dialog.getByRole('region', { name: 'Dry run' });
  await expect(plan).toContainText('it is the region to be left');
  await expect(plan, 'us-east-1 is no target unless it is named').toContainText('it has no nodes');
  expect(await violations(page), 'the plan').toEqual([]);
  expect((await geo.geoStatus()).epoch, 'a plan changes nothing').toBe(epoch);

  await dialog.getByLabel('Reason').fill('a drill');
  await dialog.getByRole('button', { name: 'Fail over to eu-west-1' }).click();
  await expect(dialog).toBeHidden();
  const history = page.getByRole('table', { name: 'Failovers' });
  const entry = history.getByRole('row', { name: /a drill/ });
  await expect(entry).toContainText('eu-west-1');
  await expect(entry).toContainText('Done');
  expect(await geo.geoStatus()).toMatchObject({ active_region: 'eu-west-1', epoch: epoch + 1 });

  await map.getByRole('button', { name: 'eu-west-1, Online' }).click();
  await page.getByRole('button', { name: 'Fail over from here' }).click();
  await geo.setActiveRegion({ body: { region_id: 'us-west-2' } });
  await dialog.getByRole('button', { name: 'Show the plan' }).click();
  await expect(dialog.getByRole('alert')).toContainText('stale_epoch');
  await dialog.getByRole('button', { name: 'Show the current state' }).click();
  await expect(dialog).toBeHidden();
  await expect(map.getByText('Requests go to us-west-2')).toBeVisible();
});

test('a region is drained and comes back', async ({ page, platformToFill: { url } }) => {
  const region = 'ap-southeast-1';
  await page.goto(`${url}/regions?region=${region}`);
  await page.getByRole('button', { name: 'Begin maintenance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('new disks');
  await dialog.getByRole('button', { name: 'Begin maintenance' }).click();

  const mark = page.getByRole('button', { name: new RegExp(`^${region}, Maintenance`) });
  await expect(mark).toBeVisible();
  await page.getByRole('button', { name: 'End maintenance' }).click();
  await expect(page.getByText(`The maintenance of ${region} has ended.`)).toBeVisible();
  await expect(page.getByRole('table', { name: 'Changes of state' })).toContainText('new disks');
});

test('the latencies are read with the arrow keys', async ({ page }) => {
  await page.goto('/regions');
  const grid = page.getByRole('grid');
  await grid.getByRole('gridcell').nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await expect(grid.getByRole('gridcell', { name: /\d ms, estimated\.$/ }).last()).toBeVisible();
  await expect(page.locator('td:focus')).toHaveAccessibleName(/^From \S+ to \S+: .+ ms, estimated/);
});

test('without an answer the screen says so, and goes on with the next one', async ({
  page,
  expected,
}) => {
  expected.push(UNREACHABLE);
  await page.route('**/api/geo/**', (route) => route.abort());
  await page.goto('/regions');
  await expect(page.getByRole('alert')).toContainText('network');
  expect(await violations(page), 'the failure').toEqual([]);

  await page.unroute('**/api/geo/**');
  await expect(page.getByRole('grid')).toBeVisible();
});
