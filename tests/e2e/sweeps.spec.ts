import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expectAccessibleIn } from './axe.ts';
import { LANGUAGES } from './languages.ts';
import { expectRoom } from './layout.ts';
import { runSpikegrid } from './spikegrid.ts';
import { TEXT } from './text-models.ts';
import { expect, test } from './training.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const RUNS = 3;

/** Runs a small sweep with the command, to its end. */
async function sweep(gateway: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spikegrid-e2e-sweep-'));
  writeFileSync(join(folder, 'whale.txt'), TEXT);
  const file = {
    name,
    model_type: 'dense_chronospike',
    dataset: 'whale.txt',
    method: 'random',
    runs: RUNS,
    seed: 4,
    budget: { steps: 20 },
    fixed: { n_heads: 2, num_blocks: 1, time_steps: 2, seq_len: 16, batch_size: 4 },
    search: {
      learning_rate: { from: 0.0005, to: 0.05, scale: 'log' },
      d_model: [16, 32],
    },
  };
  writeFileSync(join(folder, 'sweep.json'), JSON.stringify(file));
  await runSpikegrid('sweep', join(folder, 'sweep.json'), '--gateway', gateway);
  rmSync(folder, { recursive: true });
}

const table = (page: Page) => page.getByRole('table', { name: 'Runs', exact: true });

test('a sweep of the command is shown with its runs, and its best one leads to the model', async ({
  page,
  platformToFill,
}) => {
  const { url } = platformToFill;
  await sweep(url, 'two-widths');
  await page.goto(`${url}/sweeps`);
  const row = page.getByRole('row', { name: /^two-widths-/ });
  await expect(row).toContainText('3 of 3');
  await row.getByRole('link').click();

  await expect(page).toHaveURL(/sweep=two-widths-/);
  await expect(table(page).getByRole('row')).toHaveCount(1 + RUNS);
  const losses = await table(page)
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((one) => Number(one.children[1]?.textContent)));
  expect(losses).toEqual(losses.toSorted((a, b) => a - b));
  expect(losses.every((loss) => loss > 0 && loss < 10)).toBe(true);

  // The first line is the best run; the next key reads the one after it.
  const plot = page.getByRole('slider', { name: 'Cursor over Parallel coordinates' });
  await plot.focus();
  await page.keyboard.press('Home');
  await expect(plot).toHaveAttribute(
    'aria-valuetext',
    /^run \d: learning_rate .*, d_model (16|32), valid_loss /,
  );
  const best = await plot.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowRight');
  await expect(plot).not.toHaveAttribute('aria-valuetext', best ?? '');

  // Where the best run crosses the axis of the metric, below all others.
  const canvas = page.locator('canvas');
  const box = await canvas.boundingBox();
  await canvas.hover({ position: { x: (box?.width ?? 0) - 62, y: (box?.height ?? 0) - 18 } });
  await expect(plot).toHaveAttribute('aria-valuetext', best ?? '');

  await page.getByRole('link', { name: 'two-widths', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'two-widths' })).toBeVisible();
  await page.getByRole('tab', { name: 'Lineage' }).click();
  await expect(page.getByText(/two-widths-[0-9a-f]{8}\.run-000\d/).first()).toBeVisible();
});

test('the form writes the file that the command reads', async ({ page, platformToFill }) => {
  const { url } = platformToFill;
  await page.goto(`${url}/sweeps?form=open`);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('from-the-form');
  await dialog.getByLabel('Dataset').fill('datasets/whale.txt');
  await dialog.getByLabel('Method').selectOption('random');
  const fields = dialog.getByLabel('Searched fields (JSON)');
  await fields.fill('{"d_model": [16');
  await expect(dialog.getByText('Expected a JSON object')).toBeVisible();
  await fields.fill('{"d_model": [16, 32]}');

  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save the file' }).click();

  const saved = await download;
  expect(saved.suggestedFilename()).toBe('from-the-form.json');
  expect(JSON.parse(await readFile(await saved.path(), 'utf8'))).toEqual({
    name: 'from-the-form',
    model_type: 'dense_chronospike',
    dataset: 'datasets/whale.txt',
    method: 'random',
    metric: 'valid_loss',
    runs: 16,
    budget: { steps: 900 },
    parallel: 4,
    fixed: {},
    search: { d_model: [16, 32] },
  });
  await expect(dialog.getByText(`sweep from-the-form.json --gateway ${url}`)).toBeVisible();
});

for (const { language, details } of LANGUAGES) {
  test(`everybody can use the sweeps, ${language}`, details, async ({ page, platformToFill }) => {
    const { url } = platformToFill;
    await page.goto(`${url}/sweeps?form=open&lang=${language}`);
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleIn(language, page, 'the form of a sweep');
  });
}

test('a sweep has room in every width', { tag: '@full' }, async ({ page, platformToFill }) => {
  const { url } = platformToFill;
  await sweep(url, 'narrow');
  await page.goto(`${url}/sweeps`);
  await page.getByRole('link', { name: /^narrow-/ }).click();
  await expect(table(page)).toBeVisible();
  await expectRoom(page, 'sweep');
  await expectAccessibleIn('en', page, 'a sweep');
});
