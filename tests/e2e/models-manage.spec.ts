import type { Page } from 'playwright/test';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { violations } from './axe.ts';
import { expect, REFUSED, test, UNREACHABLE } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';

const SHA = (digit: string) => `sha256:${digit.repeat(64)}`;

/** A model with two versions that differ, a parent and a child. */
async function registerFamily(gateway: string, id: string): Promise<void> {
  const registry = createRegistryClient({ base: `${gateway}/registry` });
  const register = (modelId: string, version: string, rest: object) =>
    registry.register({
      model_id: modelId,
      name: modelId,
      version,
      model_type: 'text',
      framework: 'spikegrid',
      dataset_digest: SHA('a'),
      model_spec: {
        model_spec_version: 1,
        model_family: 'SpikingEvoTextLM',
        architecture: 'dense_chronospike',
        d_model: version === '1.0.0' ? 32 : 64,
      },
      ...rest,
    });
  await register(`${id}-base`, '0.9.0', {});
  await register(id, '1.0.0', { parent_model_id: `${id}-base`, tags: { stage: 'trial' } });
  await register(id, '1.1.0', { parent_model_id: id, parent_version: '1.0.0', tags: {} });
  await register(`${id}-child`, '1.0.0', { parent_model_id: id, parent_version: '1.1.0' });
}

const dialog = (page: Page) => page.getByRole('dialog');

test('an alias is set, moved with its way in sight, found by, and deleted', async ({
  page,
  platformToFill,
}) => {
  await registerFamily(platformToFill.url, 'aliased');
  await page.goto(`${platformToFill.url}/models/aliased?tab=versions`);
  await page.getByRole('button', { name: 'New alias' }).click();
  await dialog(page).getByRole('textbox', { name: 'Alias' }).fill('production');
  await dialog(page).getByRole('combobox', { name: 'Version' }).selectOption('1.0.0');
  await expect(dialog(page)).toContainText('production is new and will point to 1.0.0.');
  expect(await violations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Set alias' }).click();

  const aliases = page.getByRole('table', { name: 'Aliases' });
  await expect(aliases.getByRole('row', { name: /production/ })).toContainText('1.0.0');

  await page.getByRole('button', { name: 'Move production' }).click();
  await expect(dialog(page)).toContainText('Moves production from 1.0.0 to 1.1.0.');
  await dialog(page).getByRole('button', { name: 'Move alias' }).click();
  await expect(aliases.getByRole('row', { name: /production/ })).toContainText('1.1.0');

  await page.goto(`${platformToFill.url}/models?alias=production`);
  await expect(page.getByText('1 of 1 model')).toBeVisible();

  await page.goto(`${platformToFill.url}/models/aliased?tab=versions`);
  await page.getByRole('button', { name: 'Delete production' }).click();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('No alias yet')).toBeVisible();
});

test('tags and description are edited, and not over the changes of somebody else', async ({
  page,
  platformToFill,
  expected,
}) => {
  expected.push(REFUSED);
  await registerFamily(platformToFill.url, 'edited');
  await page.goto(`${platformToFill.url}/models/edited?tab=details&version=1.0.0`);
  await page.getByRole('button', { name: 'Edit description and tags' }).click();
  await dialog(page).getByRole('textbox', { name: 'Tags' }).fill('stage: final\nreviewed');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Details' })).toContainText('stage: final');

  await page.getByRole('button', { name: 'Edit description and tags' }).click();
  await dialog(page).getByRole('textbox', { name: 'Description' }).fill('mine');
  const other = await fetch(`${platformToFill.url}/registry/models/edited/versions/1.0.0`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'theirs' }),
  });
  expect(other.status).toBe(200);
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Someone else changed this version');

  await dialog(page).getByRole('button', { name: 'Show the current values' }).click();
  await expect(page.getByText('theirs')).toBeVisible();
});

test('two versions show only where they differ, and whether training may go on', async ({
  page,
  platformToFill,
}) => {
  await registerFamily(platformToFill.url, 'compared');
  await page.goto(`${platformToFill.url}/models/compared?tab=versions`);
  await page.getByRole('button', { name: 'Compare 1.0.0' }).click();

  const table = page.getByRole('table', { name: 'Compare' });
  await expect(table.getByRole('row', { name: /d_model/ })).toContainText('64');
  await expect(table.getByRole('row', { name: /stage/ })).toContainText('trial');
  await expect(table.getByRole('row', { name: /model_family/ })).toHaveCount(0);
  await expect(page).toHaveURL(/compare=1\.0\.0/);
  await expect(page.getByText('Not compatible')).toBeVisible();
});

for (const { language, details } of LANGUAGES) {
  test(
    `the lineage leads from version to version, as a graph and a table: ${language}`,
    details,
    async ({ page, platformToFill }) => {
      const id = `lineage-${language}`;
      await registerFamily(platformToFill.url, id);
      await page.goto(`${platformToFill.url}/models/${id}?tab=lineage&lang=${language}`);
      const parent = page.getByRole('link', { name: `${id} 1.0.0` });
      await parent.waitFor();
      expect(await violations(page)).toEqual([]);

      await parent.focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/version=1\.0\.0/);
      await expect(page.getByRole('link', { name: `${id}-base 0.9.0` })).toBeVisible();

      await page.getByRole('figure').getByRole('radio').last().check();
      await expect(page.getByRole('figure').getByRole('row')).not.toHaveCount(0);
      expect(await violations(page)).toEqual([]);
    },
  );
}

test('an upload goes on where it stopped when the gateway was away', async ({
  page,
  platformToFill,
  expected,
}) => {
  expected.push(UNREACHABLE, /Failed to load resource/);
  await registerFamily(platformToFill.url, 'uploaded');
  await page.clock.install();
  await page.goto(`${platformToFill.url}/models/uploaded`);
  // Cut off after the first chunk of 8 MiB is there, by what stands between page and gateway.
  let chunks = 0;
  await page.route('**/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH' || ++chunks !== 2) return route.continue();
    // It would go on by itself after a second: it is to wait until it is told to.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    await route.abort();
  });
  await page.getByLabel('Choose files').setInputFiles({
    name: 'weights.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(9 * 1024 * 1024, 7),
  });

  await expect(page.getByText('Connection lost, resuming soon')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Resume weights.bin' }).click();
  await page.clock.resume();
  await expect(page.getByText('Complete')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Files' })).toContainText('weights.bin');
  // A whole chunk and a rest, which was cut off once: nothing else was sent twice.
  expect(chunks).toBe(3);
});

test('a version is deleted by the rules, and only by its name', async ({
  page,
  platformToFill,
}) => {
  await registerFamily(platformToFill.url, 'deleted');
  await fetch(`${platformToFill.url}/registry/models/deleted/aliases/old`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version: '1.0.0' }),
  });
  await page.goto(`${platformToFill.url}/models/deleted?tab=versions`);
  await page.getByRole('button', { name: 'Delete 1.0.0' }).click();
  const confirm = dialog(page).getByRole('button', { name: 'Delete permanently' });
  await expect(dialog(page)).toContainText('The aliases old point to it');
  await dialog(page).getByRole('textbox').fill('1.0.0');
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');

  await dialog(page).getByRole('button', { name: 'Delete it anyway' }).click();
  await confirm.click();
  await expect(page.getByRole('table', { name: 'Versions' }).getByRole('link')).toHaveText([
    '1.1.0',
  ]);
});
