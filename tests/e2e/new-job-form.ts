import type { Page } from 'playwright/test';
import { TEXT } from './text-models.ts';
import { expect } from './training.ts';

/** Submits through the form, with a file that is uploaded in it. */
export async function submitInForm(page: Page, model: string, steps: string): Promise<string> {
  await page.getByRole('button', { name: 'New job' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Submit the job' }).click();
  // At its field, and at the button that was pressed.
  await expect(form.getByText('Choose a dataset first.')).toHaveCount(2);
  await expect(form.getByRole('alert')).toHaveText('Choose a dataset first.');
  await form.getByRole('radio', { name: 'Upload a file' }).check();
  const file = { name: `${model} text.txt`, mimeType: 'text/plain', buffer: Buffer.from(TEXT) };
  await form.getByLabel('File', { exact: true }).setInputFiles(file);
  // Choosing it is enough.
  await expect(form.getByLabel('Dataset of the platform')).toHaveValue(
    `datasets/${model}-text.txt`,
  );

  await form.getByLabel('Model ID of the result').fill(model);
  await form.getByLabel('Preset').selectOption('Tiny');
  await form.getByLabel('Train for').fill(steps);
  await form.getByLabel('Unit').selectOption('steps');
  // The trainer of a platform that has just begun opens its device first.
  await expect(form.getByText('Fits', { exact: true })).toBeVisible({ timeout: 30_000 });
  await form.getByRole('button', { name: 'Submit the job' }).click();
  await expect(page.getByRole('heading', { level: 1, name: model })).toBeVisible();
  return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
}
