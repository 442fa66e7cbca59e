import type { Page } from 'playwright/test';
import type { Theme } from './axe.ts';
import { test as base } from './dashboard.ts';

/** The object that tests/web/pages/parts/stage.ts puts on the page: the buffers, and functions that fill them. */
export interface Stage {
  readonly spikes: { push(words: Uint32Array): void; readonly wordsPerStep: number };
  pushSpikes(rate: number, silentFrom?: number): void;
  pushTrace(): void;
  pushRow(): void;
}

/** Tests against a page with parts of the dashboard. */
export const test = base.extend({
  // High enough that every widget is in view: what is not is not drawn.
  viewport: { width: 1000, height: 1900 },
  baseURL: async ({ partsPage }, use) => {
    await use(partsPage.url);
  },
});

/** This page follows no system: it is told. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name;
  }, theme);
}

export const figure = (page: Page, name: string) => page.getByRole('figure', { name });
export const canvas = (page: Page, name: string) => figure(page, name).locator('canvas');
export const cursor = (page: Page, name: string) =>
  figure(page, name).getByRole('slider', { name: 'Cursor over' });

/** Waits until everything pushed so far has been drawn. */
export const painted = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

export { expect } from './dashboard.ts';
