import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { sendDataset } from '../../trainer/send-dataset.ts';
import { expectAccessibleIn } from './axe.ts';
import { REFUSED, UNREACHABLE } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { submitInForm } from './new-job-form.ts';
import { expectRoom, lengthen } from './layout.ts';
import { TEXT } from './text-models.ts';
import { visit } from './visit.ts';
import { cancel, expect, readJob, small, submit, test, until } from './training.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const dialog = (page: Page) => page.getByRole('dialog');

test('a file is uploaded, trained on and found in the registry', async ({
  page,
  platformToFill,
}) => {
  await page.goto(`${platformToFill.url}/jobs`);
  const id = await submitInForm(page, 'from-a-file', '300');
  const state = page.getByRole('region', { name: 'State of the job' });
  await expect(state).toContainText('Succeeded', { timeout: 60_000 });
  await expect(state).toContainText('step 300 of 300');
  await expect(page.getByRole('figure', { name: 'Loss' }).locator('figcaption')).toContainText(
    /training \d.* at step 300/,
  );

  await page.getByRole('tab', { name: 'Attempts' }).click();
  await expect(page.getByRole('row', { name: /0 to 300/ })).toContainText('Completed');
  await page.getByRole('tab', { name: 'Events' }).click();
  await expect(page.getByText('these are all of its events')).toBeVisible();
  await page.getByRole('tab', { name: 'Checkpoints' }).click();
  const newest = page.getByRole('row').nth(1);
  await newest.getByText(/^\d files$/).click();
  const download = page.waitForEvent('download');
  await newest.getByRole('link', { name: 'manifest.json' }).click();
  const bytes = await readFile(await (await download).path());
  const { checkpoints } = await readJob(platformToFill.url, id);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  expect(checkpoints[0]?.files.map((file) => file.digest)).toContain(digest);

  await page.getByRole('link', { name: 'from-a-file@1.0.0 in the registry' }).click();
  await expect(page).toHaveURL(/\/models\/from-a-file\?version=1\.0\.0/);
  await expect(page.getByRole('heading', { level: 1, name: 'from-a-file' })).toBeVisible();
});

test('two runs are compared: curves over each other, and only what differs', async ({
  page,
  platformToFill,
}) => {
  const { url } = platformToFill;
  const training = { base: `${url}/training`, headers: {} };
  await sendDataset(training, { name: 'whale.txt', file: new Blob([TEXT]) });
  const first = await submit(url, { ...small(20), output_name: 'two-rates' });
  const request = { ...small(30), output_name: 'two-rates', learning_rate: 0.02 };
  const second = await submit(url, request);
  for (const { job_id: id } of [first, second])
    await until(url, id, ({ status }) => status === 'succeeded');

  await page.goto(`${url}/jobs?model=two-rates`);
  await expect(page.getByText('2 of 2 jobs')).toBeVisible();
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Compare 2 jobs' })).toBeVisible();
  await expect(page).toHaveURL(/compare=job_/);
  const table = page.getByRole('table', { name: 'Differences' });
  await expect(table.getByRole('row', { name: /^learning_rate/ })).toContainText('0.02');
  await expect(table.getByRole('row', { name: /^seed/ })).toHaveCount(0);

  // Read in one, read in all.
  const loss = page.getByRole('slider', { name: 'Cursor over Training loss' });
  await loss.focus();
  await page.keyboard.press('End');
  const speed = page.getByRole('slider', { name: 'Cursor over Tokens per second' });
  await expect(loss).toHaveAttribute('aria-valuetext', /step 30/);
  await expect(speed).toHaveAttribute('aria-valuetext', /step 30/);
});

test('jobs are filtered by the address and cancelled together', async ({ page, lonely }) => {
  const { url } = lonely;
  const ids: string[] = [];
  for (const output_name of ['waiting', 'waiting', 'other']) {
    ids.push((await submit(url, { ...small(50), output_name })).job_id);
  }
  await page.goto(`${url}/jobs?status=active&model=waiting`);
  await expect(page.getByText('2 of 2 jobs')).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toContainText('no trainer is connected');

  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Cancel jobs' }).click();
  await dialog(page).getByRole('button', { name: 'Cancel 2 jobs' }).click();
  await expect(page.getByText('No job matches')).toBeVisible();
  expect((await readJob(url, ids[0] ?? '')).status).toBe('cancelled');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('link', { name: 'other' })).toBeVisible();
  await cancel(url, ids[2] ?? '');
});

test('a clone begins with the values of its job, and says what they would need', async ({
  page,
  lonely,
  expected,
}) => {
  // Refused on purpose.
  expected.push(REFUSED);
  const request = { ...small(70), output_name: 'cloned', seed: 7, priority: 90 };
  const { job_id: id } = await submit(lonely.url, request);
  await page.goto(`${lonely.url}/jobs/${id}`);
  await page.getByRole('link', { name: 'Clone' }).click();
  const form = dialog(page);
  await expect(form.getByLabel('Model ID of the result')).toHaveValue('cloned');
  await expect(form.getByLabel('Dataset of the platform')).toHaveValue('datasets/whale.txt');
  await expect(form.getByLabel('Train for')).toHaveValue('70');
  await expect(form.getByLabel('Seed')).toHaveValue('7');
  await expect(form.getByLabel('Priority')).toHaveValue('90');
  await expect(form.getByLabel('Preset')).toHaveValue('custom');
  await expect(form.getByText(/^Needs .* of memory\.$/)).toBeVisible();

  await form.getByLabel('Heads').fill('3');
  await expect(form.getByText('3 heads do not divide the width 16 evenly.')).toBeVisible();
  await form.getByRole('button', { name: 'Submit the job' }).click();
  await expect(form.getByRole('alert').first()).toContainText('invalid_structure');

  // Rule 7: a preset fills all fields, those too that were being edited.
  await form.getByLabel('Width').fill('100');
  await form.getByLabel('Time steps').fill('many');
  await form.getByLabel('Preset').selectOption('Base');
  await expect(form.getByLabel('Preset')).toHaveValue('base');
  await expect(form.getByLabel('Width')).toHaveValue('256');
  await expect(form.getByLabel('Heads')).toHaveValue('8');
  await expect(form.getByLabel('Time steps')).toHaveValue('4');

  await form.getByLabel('Base model').fill('cloned@production');
  await expect(form.getByText('The structure, vocabulary and tokenizer are those')).toBeVisible();
  await expect(form.getByLabel('Width')).toBeHidden();
  await cancel(lonely.url, id);
});

test('events that happened while the platform was away appear once it is back', async ({
  page,
  lonely,
  expected,
}) => {
  expected.push(UNREACHABLE, /Failed to load resource/, /net::ERR_/);
  const { job_id: id } = await submit(lonely.url, { ...small(50), output_name: 'cut-off' });
  await page.goto(`${lonely.url}/jobs/${id}?tab=events`);
  await expect(page.getByText('Live: events appear as they happen.')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);

  await lonely.stop();
  await expect(page.getByText('Connection lost.')).toBeVisible();
  await lonely.start();
  await cancel(lonely.url, id);

  await expect(page.getByText('these are all of its events')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('row').nth(1)).toContainText('cancelled');
});

test(
  'nothing of a job is cut off, from 320 px on and in longer words',
  { tag: '@full' },
  async ({ page, lonely }) => {
    const { url } = lonely;
    const request = { ...small(50), output_name: 'a-model-with-quite-a-long-name', replicas: 2 };
    const { job_id: id } = await submit(url, request);
    for (const tab of ['curves', 'timeline', 'events', 'checkpoints', 'rounds', 'config']) {
      await page.goto(`${url}/jobs/${id}?tab=${tab}&lang=ja`);
      await page.getByRole('tabpanel').waitFor();
      await expectRoom(page, tab);
      await page.goto(`${url}/jobs/${id}?tab=${tab}&lang=en`);
      await page.getByRole('tabpanel').waitFor();
      await lengthen(page);
      await expectRoom(page, `${tab}, longer,`);
    }
    await cancel(url, id);
  },
);

for (const { language, details } of LANGUAGES) {
  test(`all of it is accessible: ${language}`, details, async ({ page, lonely, expected }) => {
    // A job that nobody has.
    expected.push(/Failed to load resource/);
    const { url } = lonely;
    const { job_id: id } = await submit(url, { ...small(50), output_name: 'seen' });
    const tabs = ['curves', 'timeline', 'events', 'checkpoints', 'config'];
    const places = [
      ['/jobs?', 'main table'],
      ['/jobs?model=nothing-like-it&', 'main search + div'],
      ['/jobs?new={}&', 'dialog form'],
      [`/jobs?compare=${id}&`, 'main figure'],
      ['/jobs/job_no?', '[role=alert]'],
      ...tabs.map((tab) => [`/jobs/${id}?tab=${tab}&`, '[role=tabpanel] > *']),
    ];
    for (const [path = '', ready = ''] of places) {
      await visit(page, `${url}${path}lang=${language}`);
      await page.locator(ready).first().waitFor();
      await expectAccessibleIn(language, page, path);
    }
    await cancel(url, id);
  });
}
