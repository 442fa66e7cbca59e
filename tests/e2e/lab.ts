import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import { expect } from './dashboard.ts';

/** Small enough for hundreds of steps a second on WASM and some dozen on the software adapter; on the stories, which are short. */
export const FAST =
  'text=stories&d_model=16&seq_len=16&batch_size=4&budget_in=steps&check_every=10';

/** Without n-gram tables, which are right from the first step on: a run that has all to learn. */
export const FROM_NOTHING = `${FAST}&ngram_order=0`;

/** High enough that every picture is in sight: what is not is not drawn. */
export const TALL = { width: 1440, height: 1500 };

/** Looks often: on a slow machine the first second would be the longest. */
const SOON = { timeout: 60_000, intervals: [50] };

export const bar = (page: Page) => page.getByRole('region', { name: 'Run' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const trainButton = (page: Page) =>
  bar(page).getByRole('button', { name: /^(Train|Resume|Pause|Pausing)$/ });
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
export const figure = (page: Page, name: string) => page.getByRole('figure', { name });
export const plot = (page: Page, name: string): Locator => figure(page, name).locator('canvas');
export const written = (page: Page) => page.getByRole('region', { name: 'Generated text' });

/** Opens the lab and waits until it has read its text. A reload may ask whether training may be lost: it may. */
export async function openLab(page: Page, query: string): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`/lab?${query}`);
  await expect(trainButton(page)).toBeEnabled();
}

/** Waits for the state that the bar names. */
export const inState = (page: Page, name: string) =>
  expect(bar(page).getByText(name, { exact: true })).toBeVisible({ timeout: 60_000 });

/** Trains on until so many steps are done, and leaves it training or finished. */
export async function trainUntil(page: Page, step: number): Promise<void> {
  await trainButton(page).click();
  await soon(() => stepOf(page)).toBeGreaterThanOrEqual(step);
}

export async function pause(page: Page): Promise<void> {
  await button(page, 'Pause').click();
  await inState(page, 'Paused');
}

/** Saves a checkpoint and gives its name and its bytes. */
export async function save(page: Page): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download');
  await button(page, 'Save').click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Loads a checkpoint that is one zip file. */
export const load = (page: Page, bytes: Buffer, name = 'checkpoint.zip') =>
  page
    .getByLabel('Load a checkpoint')
    .setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });

/** A poll that looks often. */
export function soon<T>(look: () => Promise<T>): ReturnType<typeof expect.poll<T>> {
  return expect.poll(look, SOON);
}

/** The step as the bar says it; 0 before there is one. */
export async function stepOf(page: Page): Promise<number> {
  const words = (await bar(page).textContent()) ?? '';
  return Number(/Step ([\d,]+)/.exec(words)?.[1]?.replaceAll(',', '') ?? 0);
}

/** A number beside its name in the bar; NaN while it is not known. */
export async function readout(page: Page, name: string): Promise<number> {
  const term = bar(page).getByRole('term').filter({ hasText: name });
  return Number.parseFloat(((await term.locator('+ dd').textContent()) ?? '').replaceAll(',', ''));
}

export async function lengthOf(text: Locator): Promise<number> {
  return (await text.textContent())?.length ?? 0;
}
