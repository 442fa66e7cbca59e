import { unzipSync } from 'fflate';
import { expect, REFUSED, test as shared } from './dashboard.ts';
import {
  button,
  FAST,
  field,
  inState,
  load,
  openLab,
  save,
  soon,
  stepOf,
  TALL,
  trainButton,
  trainUntil,
  lengthOf,
  written,
} from './lab.ts';

const test = shared.extend({
  baseURL: async ({ platformToFill }, use) => {
    await use(platformToFill.url);
  },
});

test.use({ viewport: TALL });

test('a checkpoint is saved, loaded again, and trained on to the very same bits', async ({
  page,
}) => {
  await openLab(page, `${FAST}&budget=24`);
  for (const step of [1, 2]) {
    await button(page, 'One step').click();
    await soon(() => stepOf(page)).toBe(step);
    await inState(page, 'Paused');
  }
  const half = await save(page);
  expect(half.name).toBe('spikegrid-000002.zip');
  await trainUntil(page, 24);
  await inState(page, 'Finished');
  const whole = await save(page);

  // Another width: the checkpoint brings its own.
  await page.goto('/lab?text=stories&d_model=64');
  await expect(trainButton(page)).toBeEnabled();
  await load(page, half.bytes);
  await inState(page, 'Checkpoint loaded');
  await expect(field(page, 'Width')).toHaveValue('16');
  await trainUntil(page, 24);
  await inState(page, 'Finished');
  const rest = await save(page);

  const [expected, trained] = [unzipSync(whole.bytes), unzipSync(rest.bytes)];
  for (const file of ['model.safetensors', 'optimizer.safetensors', 'tokenizer.json']) {
    expect(Buffer.compare(trained[file]!, expected[file]!), file).toBe(0);
  }
});

test('a checkpoint writes without its text; what is damaged is refused by name', async ({
  page,
}) => {
  await openLab(page, `${FAST}&tokens=30`);
  await button(page, 'One step').click();
  await inState(page, 'Paused');
  const { bytes } = await save(page);

  await page.goto('/lab?tokens=30');
  await expect(trainButton(page)).toBeEnabled();
  const dialog = page.getByRole('dialog', { name: 'This checkpoint cannot be loaded' });
  const altered = Buffer.from(bytes);
  altered[2_000] = altered[2_000]! ^ 0xff;
  await load(page, altered);
  await expect(dialog).toContainText('The checkpoint is damaged.');
  await expect(dialog).toContainText(/model\.safetensors was altered/i);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await load(page, bytes.subarray(0, 5_000));
  await expect(dialog).toContainText(/checkpoint\.zip is cut off or damaged/i);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await inState(page, 'Not started');

  // The files of a checkpoint's folder, as the command line writes them.
  const files = Object.entries(unzipSync(bytes)).map(([name, data]) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(data),
  }));
  await page.getByLabel('Load a checkpoint').setInputFiles(files);
  await expect(page.getByText(/This checkpoint was trained on stories\.txt/)).toBeVisible();
  await expect(trainButton(page)).toBeDisabled();
  await button(page, 'Generate').click();
  await expect(page.getByText(/^30 tokens in/)).toBeVisible({ timeout: 30_000 });

  await page.getByRole('radio', { name: 'Stories' }).check();
  await expect(trainButton(page)).toBeEnabled();
});

test('a model is registered, and writes again after a reload without any training', async ({
  page,
  expected,
}) => {
  expected.push(REFUSED);
  await openLab(page, `${FAST}&tokens=40`);
  await button(page, 'One step').click();
  await inState(page, 'Paused');
  await button(page, 'Register').click();
  const dialog = page.getByRole('dialog', { name: 'Register the model' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Little stories');
  await dialog.getByRole('textbox', { name: 'Model ID' }).fill('Little Stories');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Model ID' })).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await dialog.getByRole('textbox', { name: 'Model ID' }).fill('little-stories');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog).toContainText('Little stories 1.0.0 is in the registry.');
  await dialog.getByRole('button', { name: 'Done' }).click();

  // A version never changes: another step under the same one is refused, with the way out.
  await button(page, 'One step').click();
  await soon(() => stepOf(page)).toBe(2);
  await button(page, 'Register').click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Little stories');
  await dialog.getByRole('textbox', { name: 'Model ID' }).fill('little-stories');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog).toContainText('such as 1.1.0');
  await dialog.getByRole('textbox', { name: 'Version' }).fill('1.1.0');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog).toContainText('Little stories 1.1.0 is in the registry.');
  await dialog.getByRole('link', { name: 'Open the model page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Little stories' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'model.safetensors' })).toBeVisible();

  await page.goto('/lab?tokens=40');
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('registered');
  await page.getByRole('searchbox', { name: 'Find a model' }).fill('little');
  await page
    .getByRole('combobox', { name: 'Registered model' })
    .selectOption('little-stories@1.1.0');
  await button(page, 'Generate').click();
  await soon(() => lengthOf(written(page))).toBeGreaterThan(30);
  await expect(page).toHaveURL(/model=little-stories%401\.1\.0/);
});
