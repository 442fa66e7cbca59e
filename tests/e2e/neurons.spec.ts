import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expectAccessibleIn } from './axe.ts';
import { expect, test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';

const figure = (page: Page, name: string) => page.getByRole('figure', { name, exact: true });

/** How often the neuron fired, as the sentence under its membrane potential says. */
async function spikes(page: Page): Promise<number> {
  const said = await figure(page, 'Membrane potential').locator('figcaption').textContent();
  return Number(/^(\d+) spike/.exec(said ?? '')?.[1] ?? 0);
}

for (const { language, details } of LANGUAGES) {
  test(`the Neuron lab is accessible: ${language}`, details, async ({ page }) => {
    await page.goto(`/neurons?lang=${language}`);
    await expect(page.getByRole('figure')).toHaveCount(7);
    await expect(page.locator('figcaption').first()).toContainText('10');
    await expectAccessibleIn(language, page, 'the Neuron lab');
  });
}

test('a slider by keyboard changes the spikes at once, and the address keeps it', async ({
  page,
}) => {
  await page.goto('/neurons');
  await expect.poll(() => spikes(page)).toBe(10);
  const current = page.getByRole('slider', { name: 'Input current I', exact: true });
  await current.focus();
  await page.keyboard.press('End');
  // More current, more spikes.
  await expect.poll(() => spikes(page)).toBeGreaterThan(20);
  await expect(page).toHaveURL(/p=I%3A40/);

  await page.reload();
  await expect.poll(() => spikes(page)).toBeGreaterThan(20);
  await page.getByRole('button', { name: 'Initial values' }).click();
  await expect.poll(() => spikes(page)).toBe(10);
});

test('each model and preset has its own rhythm and its own parameters', async ({ page }) => {
  await page.goto('/neurons?dt=1');
  const preset = page.getByRole('combobox', { name: 'Preset' });
  await preset.selectOption({ label: 'FS, fast spiking' });
  // Fast-spiking neurons fire many times as often as regular ones at the same current.
  await expect.poll(() => spikes(page)).toBeGreaterThan(25);
  await expect(figure(page, 'Phase plane')).toContainText('nullclines do not intersect');

  await page.getByRole('combobox', { name: 'Neuron model' }).selectOption('lif');
  await expect(page.getByRole('textbox', { name: /Membrane time constant/ })).toHaveValue('20');
  await expect(figure(page, 'Phase plane')).toHaveCount(0);
  await expect.poll(() => spikes(page)).toBeGreaterThan(5);
  await expect(figure(page, 'f-I curve')).toContainText(/Silent up to 0.0\d+/);
});

test('the traces are read by keyboard, as a table and as a file with every step', async ({
  page,
}) => {
  await page.goto('/neurons?ms=100');
  const membrane = figure(page, 'Membrane potential');
  await expect(membrane).toContainText('spike');
  const cursor = page.getByRole('slider', { name: 'Cursor over Membrane potential' });
  await cursor.focus();
  await page.keyboard.press('Home');
  await expect(cursor).toHaveAttribute('aria-valuetext', /^0 ms: Membrane potential -\d/);

  const download = page.waitForEvent('download');
  await membrane.getByRole('button', { name: /as CSV/ }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  // 100 ms in steps of 0.5 ms, and the head.
  expect(csv.split('\r\n').filter((line) => line.startsWith('Membrane')).length).toBe(200);
});

/** A perfect integrator: 10 input currents of 0.1 make a spike. */
const INTEGRATOR = `
export const model = {
  name: 'integrator',
  states: [{ name: 'v', symbol: 'v', unit: '', initial: 0 }],
  parameters: [{ name: 'theta', symbol: 'θ', unit: '', initial: 1, minimum: 0.1, maximum: 10 }],
  step(state, [theta], input) {
    state[0] += input;
    const fires = state[0] >= theta;
    if (fires) state[0] = 0;
    return fires;
  },
};`;

test('a model of one’s own runs in a sandbox that reaches nobody and loops for nobody', async ({
  page,
  expected,
}) => {
  const open = (code: string) =>
    page
      .getByLabel('Open a file')
      .last()
      .setInputFiles({
        name: 'model.mjs',
        mimeType: 'text/javascript',
        buffer: Buffer.from(code),
      });
  const said = (words: RegExp) => page.getByRole('alert').filter({ hasText: words });
  await page.goto('/neurons?dt=1&p=I:10');
  await open(INTEGRATOR);
  await expect(page.getByRole('combobox', { name: 'Neuron model' })).toHaveValue('own');
  await page.getByRole('textbox', { name: 'Input current I' }).fill('0.125');
  // 400 steps of 0.125 between 50 and 450 ms.
  await expect.poll(() => spikes(page)).toBe(50);

  await open(INTEGRATOR.replace('state[0] += input', 'for (;;);'));
  await expect(said(/took longer than 3 s/)).toBeVisible();
  await open('export const model = { name: 1 };');
  await expect(said(/no object with a function named step/)).toBeVisible();

  // Violations of the script's content security policy.
  expected.push(/Content Security Policy|violates|Refused/);
  await open(`await fetch('/api/session'); ${INTEGRATOR}`);
  await expect(said(/Failed to fetch/)).toBeVisible();
});

test('equations are simulated as they are written, and what is wrong is named with its place', async ({
  page,
}) => {
  await page.goto('/neurons?dt=1');
  await page.getByRole('combobox', { name: 'Neuron model' }).selectOption('equations');
  await page.getByRole('combobox', { name: 'Begin with' }).selectOption('izhikevich');
  await expect.poll(() => spikes(page)).toBeGreaterThan(5);
  // The parameters are those of the text, and may be dragged.
  await expect(page.getByRole('slider', { name: 'peak', exact: true })).toBeVisible();
  await expect(figure(page, 'f-I curve')).toContainText(/Silent up to/);

  const text = page.getByRole('textbox', { name: 'Equations of the neuron' });
  await text.fill('state u = 0\nleak = 0.9\nu = leak * u + J\ns = spike(u - 1)\nu = u - s');
  await expect(text).toHaveAccessibleDescription(/Line 3, column 16: J has no value here/);
  // Nothing is drawn of what cannot be read.
  await expect(figure(page, 'Membrane potential')).toHaveCount(0);
  await text.fill('state u = 0\nleak = 0.9\nu = leak * u + I\ns = spike(u - 1)\nu = u - s');
  await expect(page.getByText(/J has no value/)).toHaveCount(0);
  await expect(page.getByRole('slider', { name: 'leak', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/eq=.*leak/);

  await page.reload();
  await expect(text).toHaveValue(/^state u = 0\nleak = 0.9/);
  await expect.poll(() => spikes(page)).toBeGreaterThan(100);
});

for (const { language, details } of LANGUAGES) {
  test(
    `the editor of equations is accessible, with an error: ${language}`,
    details,
    async ({ page }) => {
      await page.goto(
        `/neurons?lang=${language}&model=equations&eq=state+u+%3D+1%0Au+%3D+v%0As+%3D+spike(u)`,
      );
      const editor = page.locator('textarea').first();
      await expect(editor).toHaveAccessibleDescription(/2.*5.*v has no value here/);
      await expect(page.getByRole('figure', { name: /Membrane|膜電位/ })).toHaveCount(0);
      await expectAccessibleIn(language, page, 'the editor of equations');
    },
  );
}
