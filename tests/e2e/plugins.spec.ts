import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectAccessibleIn } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { startGateway } from './gateway-process.ts';
import { LANGUAGES } from './languages.ts';

/** A plugin as its author wrote it. */
const example = (name: string) =>
  fileURLToPath(new URL(`../../examples/plugins/${name}`, import.meta.url));

const STATISTICS = '/plugins?plugin=SpikeTrainStatisticsPlugin';

for (const { language, details } of LANGUAGES) {
  test(`the plugins are accessible: ${language}`, details, async ({ page }) => {
    await page.goto(`/plugins?lang=${language}`);
    await page.getByRole('table').waitFor();
    await expectAccessibleIn(language, page, 'the list');
    await page.goto(`${STATISTICS}&lang=${language}`);
    await page.getByRole('table').first().waitFor();
    await expectAccessibleIn(language, page, 'one plugin');
  });
}

test('a plugin of this tab is found, activated, set and deactivated by keyboard', async ({
  page,
}) => {
  await page.goto('/plugins?type=MONITORING');
  const link = page.getByRole('link', { name: 'SpikeTrainStatisticsPlugin' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/plugin=SpikeTrainStatisticsPlugin/);

  await page.getByRole('button', { name: 'Activate' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Deactivate' })).toBeFocused();
  const window = page.getByRole('textbox', { name: 'Counting window (ms)' });
  await window.fill('80');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('table', { name: 'Log' })).toContainText('configuration');
  await expect(window).toHaveValue('80');

  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByRole('button', { name: 'Activate' })).toBeVisible();
});

test('a folder put beside a host becomes a plugin, and its neuron spikes in the Neuron lab', async ({
  page,
  build,
}) => {
  const state = mkdtempSync(join(tmpdir(), 'spikegrid-plugins-'));
  cpSync(example('quadratic-neuron'), join(state, 'plugins/quadratic-neuron'), { recursive: true });
  const gateway = await startGateway(build, state, ['--no-trainer', '--no-inference']);
  try {
    // The host registers by itself, a moment after the gateway is there.
    const list = `${gateway.url}/plugin-host/plugins`;
    await expect
      .poll(async () => (await fetch(list)).text(), { timeout: 20_000 })
      .toContain('QuadraticNeuronPlugin');
    await page.goto(`${gateway.url}/plugins?host=plugin-host&type=NEURON`);
    await page.getByRole('link', { name: 'QuadraticNeuronPlugin' }).click();
    await expect(page.getByText('Ermentrout')).toBeVisible();
    await page.getByRole('textbox', { name: 'τ (ms)' }).fill('10');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('table', { name: 'Log' })).toContainText('configuration');

    await page.goto(`${gateway.url}/neurons?p=I:1`);
    const model = page.getByRole('combobox', { name: 'Neuron model' });
    await model.selectOption({ label: 'QuadraticNeuronPlugin, plugin of plugin-host' });
    await page.getByRole('textbox', { name: 'Input current I' }).fill('1');
    // A spike every tau pi / sqrt(I), a little sooner as the peak is finite: 13 in 400 ms.
    await expect(page.getByRole('figure', { name: 'Spikes' })).toContainText(/1[2-4] spikes/);
    await expect(page.getByRole('figure', { name: 'f-I curve' })).toContainText('Hz at 4');
  } finally {
    // It asks the host every few seconds, which leaves the gateway before the gateway ends: a 404 then.
    await page.close();
    await gateway.stop();
    rmSync(state, { recursive: true });
  }
});
