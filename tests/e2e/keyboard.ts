import type { Page } from 'playwright/test';

/** Presses a key several times, one after the other. */
export async function press(page: Page, key: string, times: number): Promise<void> {
  for (let done = 0; done < times; done++) await page.keyboard.press(key);
}
