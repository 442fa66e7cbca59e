import { expect, test } from './dashboard.ts';
import {
  bar,
  button,
  FAST,
  field,
  figure,
  inState,
  lengthOf,
  openLab,
  pause,
  plot,
  readout,
  save,
  soon,
  stepOf,
  TALL,
  trainButton,
  trainUntil,
  written,
} from './lab.ts';
import { fingerprint } from './pixels.ts';

test.use({ viewport: TALL });

test('a whole novel is learned in WebGPU until the loss falls, and one sees it', async ({
  page,
}) => {
  await openLab(
    page,
    'device=webgpu&d_model=32&seq_len=32&ngram_order=0&budget=500&budget_in=steps&check_every=20',
  );
  await expect(page.getByText('1,189,652 characters')).toBeVisible();
  await expect(page.getByText(/^17,938 parameters/)).toBeVisible();
  await button(page, 'One step').click();
  await soon(() => readout(page, 'Loss')).toBeGreaterThan(4);
  const [curve, raster] = [
    await fingerprint(plot(page, 'Loss')),
    await fingerprint(plot(page, 'Spikes')),
  ];

  await trainUntil(page, 30);
  await soon(() => readout(page, 'Loss')).toBeLessThan(3);
  await soon(() => readout(page, 'Validation')).toBeLessThan(3.6);
  expect(await fingerprint(plot(page, 'Loss'))).not.toBe(curve);
  expect(await fingerprint(plot(page, 'Spikes'))).not.toBe(raster);
  await expect(figure(page, 'Loss').locator('figcaption')).toContainText('falling');
  await expect(figure(page, 'Firing rates')).toContainText(/96 neurons: mean firing rate \d/);
  await expect(bar(page)).toContainText('WebGPU on the processor');
  expect(await readout(page, 'Tokens/s')).toBeGreaterThan(100);
});

test('a run is paused, stepped, ended, given more to do, and reset', async ({ page }) => {
  await openLab(page, `${FAST}&budget=100000`);
  await trainUntil(page, 3);
  await pause(page);
  const paused = await stepOf(page);
  // The picture that follows a pause comes after every step that could still have been under way.
  await expect(figure(page, 'Spikes')).toBeVisible();
  expect(await stepOf(page)).toBe(paused);

  for (const next of [paused + 1, paused + 2]) {
    await button(page, 'One step').click();
    await soon(() => stepOf(page)).toBe(next);
    await inState(page, 'Paused');
  }
  for (const budget of [paused + 20, paused + 30]) {
    await field(page, 'Train for').fill(String(budget));
    await trainUntil(page, budget);
    await inState(page, 'Finished');
    await expect(bar(page)).toContainText(/Step ([\d,]+) of \1/);
    await expect(trainButton(page)).toBeDisabled();
  }

  // On a busy machine a pause may hold so late that there is much to lose: a reset would ask first.
  await save(page);
  await button(page, 'Reset').click();
  await inState(page, 'Not started');
  expect(await readout(page, 'Loss')).toBeNaN();
  await button(page, 'One step').click();
  await soon(() => stepOf(page)).toBe(1);
});

test('layers and neurons are chosen, with the pointer and by keyboard', async ({ page }) => {
  await openLab(page, FAST);
  await button(page, 'One step').click();
  const drawn = (neuron: number) => button(page, `Remove neuron ${neuron} from the plot`);
  const membranes = figure(page, 'Membrane potentials');
  await expect(
    membranes.getByRole('button', { name: /^Remove neuron .* from the plot/ }),
  ).toHaveCount(3);
  const before = await fingerprint(plot(page, 'Spikes'));

  const layer = figure(page, 'Spikes').getByRole('combobox', { name: 'Layer' });
  await layer.selectOption('Block 1: feed-forward');
  await expect(figure(page, 'Spikes')).toContainText('64 neurons');
  await soon(() => fingerprint(plot(page, 'Spikes'))).not.toBe(before);
  await expect(page).toHaveURL(/layer=blocks\.0\.up/);

  await figure(page, 'Spikes').getByRole('slider').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await drawn(63).click();
  await expect(drawn(63)).toBeHidden();
  const canvas = plot(page, 'Spikes');
  const { width, height } = (await canvas.boundingBox())!;
  await canvas.click({ position: { x: width / 2, y: height - 1 } });
  await expect(drawn(0)).toBeVisible();
  await membranes.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await expect(membranes.getByRole('slider')).toHaveAttribute(
    'aria-valuetext',
    /^., time step 1 of 2: /,
  );
});

test('text is written while the model trains, is stopped, and is copied', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Neither ends by itself, however slowly the page is looked at.
  await openLab(page, `${FAST}&budget=10000000&tokens=100000`);
  await expect(button(page, 'Generate')).toBeDisabled();
  await trainUntil(page, 3);
  await field(page, 'Prompt').fill('The cat ');
  await button(page, 'Generate').click();
  await soon(() => lengthOf(written(page))).toBeGreaterThan(40);
  await expect(written(page)).toContainText(/^The cat /);
  const [step, length] = [await stepOf(page), await lengthOf(written(page))];
  await soon(() => stepOf(page)).toBeGreaterThan(step);
  await soon(() => lengthOf(written(page))).toBeGreaterThan(length);

  await button(page, 'Stop').click();
  await expect(page.getByText(/^[\d,]+ tokens in [\d.]+ s$/)).toBeVisible();
  await button(page, 'Copy the text').click();
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^The cat ./);

  await field(page, 'Prompt').fill('héllo');
  await button(page, 'Generate').click();
  await expect(field(page, 'Prompt')).toHaveAccessibleDescription(
    /does not know.*"é" \(U\+00E9\) at position 1/,
  );
  await field(page, 'Prompt').fill('hello');
  await expect(field(page, 'Prompt')).toHaveAccessibleDescription('');
});

test('training goes on while one looks at another screen', async ({ page }) => {
  await openLab(page, `${FAST}&budget=10000000`);
  await trainUntil(page, 2);
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByText('A software adapter only')).toBeVisible();

  await page.goBack();
  await soon(() => stepOf(page)).toBeGreaterThan(10);
  await inState(page, 'Training');
  await expect(field(page, 'Width')).toHaveValue('16');
});

test('what is set is in the address, and comes back from it', async ({ page }) => {
  await openLab(page, '');
  const preset = page.getByRole('combobox', { name: 'Preset' });
  await preset.selectOption('Small');
  await expect(field(page, 'Width')).toHaveValue('128');
  // Rule 7: a preset fills all fields, those too that were being edited.
  await field(page, 'Width').fill('100');
  await preset.selectOption('Base');
  await expect(field(page, 'Width')).toHaveValue('256');
  await expect(field(page, 'Heads')).toHaveValue('8');
  await field(page, 'Width').fill('wide');
  await preset.selectOption('Small');
  await expect(field(page, 'Width')).toHaveValue('128');
  await field(page, 'Heads').fill('8');
  await expect(preset).toHaveValue('custom');
  await expect(field(page, 'Tokens of the longest n-grams')).toHaveValue('6');
  await field(page, 'Tokens of the longest n-grams').fill('0');
  await field(page, 'Prompt').fill('Call me ');
  await page.getByRole('radio', { name: 'Stories' }).check();
  await expect(page).toHaveURL(
    /(?=.*text=stories)(?=.*d_model=128)(?=.*n_heads=8)(?=.*ngram_order=0)(?=.*prompt=Call\+me)/,
  );

  await page.reload();
  await expect(field(page, 'Width')).toHaveValue('128');
  await expect(field(page, 'Heads')).toHaveValue('8');
  await expect(field(page, 'Tokens of the longest n-grams')).toHaveValue('0');
  await expect(field(page, 'Prompt')).toHaveValue('Call me ');
  await expect(page.getByText('24,412 characters')).toBeVisible();
});

test('what cannot be is refused where it was entered, with its numbers', async ({ page }) => {
  await openLab(page, FAST);
  await field(page, 'Heads').fill('3');
  await expect(field(page, 'Heads')).toHaveAccessibleDescription(/16 is not divisible by 3 heads/);
  await expect(trainButton(page)).toBeDisabled();
  await field(page, 'Heads').fill('4');
  await expect(trainButton(page)).toBeEnabled();

  const alert = page.getByRole('alert');
  await page.getByRole('radio', { name: 'Paste' }).check();
  await expect(trainButton(page)).toBeDisabled();
  await field(page, 'Paste a text').fill('A short text.');
  await expect(alert).toContainText('The text is too short.');
  await expect(alert).toContainText(
    /pasted\.txt has 13 characters: seq_len 16 needs at least 161/i,
  );
  await expect(trainButton(page)).toBeDisabled();
  await field(page, 'Paste a text').fill('A longer text. '.repeat(20));
  await expect(trainButton(page)).toBeEnabled();

  await page.getByRole('radio', { name: 'File' }).check();
  const input = page.getByLabel('Choose files');
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]);
  await input.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: png });
  await expect(alert).toContainText(/photo\.png is not a text in UTF-8/i);
  const book = Buffer.from('a rose is a rose is a rose. '.repeat(40));
  await input.setInputFiles({ name: 'book.txt', mimeType: 'text/plain', buffer: book });
  await expect(page.getByText('1,120 characters')).toBeVisible();
  await expect(trainButton(page)).toBeEnabled();
});
