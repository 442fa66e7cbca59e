import type { Page } from 'playwright/test';

/**
 * Goes to a screen of the dashboard as its links do: only the first one loads the page, which takes
 * longer than any look at it. What is about loading goes there by `goto`.
 */
export async function visit(page: Page, address: string): Promise<void> {
  if (!page.url().startsWith('http')) await page.goto(address);
  else await page.evaluate((to) => history.pushState(null, '', to), address);
}
