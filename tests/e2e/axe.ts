import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, type Page } from 'playwright/test';

// Globals that the source below adds to a page.
declare const axe: { run(context: Document, options: RunOptions): Promise<AxeResults> };

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those of these tags that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

type Rules = NonNullable<RunOptions['runOnly']>;

export type Theme = 'light' | 'dark';

/** The violations that axe finds, one line each. */
export const violations = (page: Page): Promise<string[]> =>
  run(page, { type: 'tag', values: TAGS });

/** Expects that axe finds nothing, nor in the other theme, in which nothing but colours is another. */
export async function expectAccessible(
  page: Page,
  what: string,
  show: (page: Page, theme: Theme) => Promise<void> = showTheme,
): Promise<void> {
  await show(page, 'light');
  expect(await violations(page), `${what}, light`).toEqual([]);
  await show(page, 'dark');
  const inColours = await run(page, { type: 'rule', values: COLOUR_RULES });
  expect(inColours, `${what}, dark`).toEqual([]);
}

/**
 * Expects that axe finds nothing in one language of a test that looks at both: in English in the light
 * theme, in Japanese in the dark one. Words change no colours, and colours no words.
 */
export async function expectAccessibleIn(
  language: string,
  page: Page,
  what: string,
  show: (page: Page, theme: Theme) => Promise<void> = showTheme,
): Promise<void> {
  const theme = language === 'ja' ? 'dark' : 'light';
  await show(page, theme);
  expect(await violations(page), `${what}, ${language}, ${theme}`).toEqual([]);
}

/** As the system does, and waits until the dashboard has followed. */
async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
}

/**
 * Violations that axe still finds on a second run: a result computed while the page changes, for example
 * while a response arrives, holds for neither state.
 */
async function run(page: Page, rules: Rules): Promise<string[]> {
  // Half a megabyte: once for a page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  let found = await look(page, rules);
  for (let again = 0; again < 3 && found.length > 0; again++) {
    // Not until nothing is asked for: a screen may follow events for as long as it is open.
    await page.waitForTimeout(500);
    found = await look(page, rules);
  }
  return found;
}

const look = (page: Page, rules: Rules): Promise<string[]> =>
  page.evaluate(async (runOnly) => {
    const { violations: found } = await axe.run(document, {
      runOnly,
      // All else would be described as well, element by element.
      resultTypes: ['violations'],
    });
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
