import type { Page } from 'playwright/test';
import { expect, test } from './dashboard.ts';
import { RICH } from './models.ts';

const PATHS = [
  '/',
  '/lab',
  '/models',
  `/models/${RICH.id}`,
  `/models/${RICH.id}?tab=details`,
  '/settings',
];
const WIDTHS = [320, 640, 900, 1440];

/** Everything on the page that is wider than its room: of the page itself, or of what cuts it off. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element) => {
      const { overflowX, clipPath } = getComputedStyle(element);
      // What is hidden from eyes on purpose is cut on purpose.
      return (
        overflowX === 'hidden' &&
        clipPath === 'none' &&
        element.scrollWidth > element.clientWidth + 1
      );
    };
    const name = (element: Element) => `${element.localName}: ${element.textContent?.slice(0, 40)}`;
    const cut = [...document.querySelectorAll('body *')].filter(isCut).map(name);
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`the page: ${scrollWidth} in ${clientWidth}`, ...cut] : cut;
  });
}

/** React takes the frame after a change of width to move the navigation. */
const settled = (page: Page, place: string) =>
  expect.poll(() => overflowing(page), { message: place, timeout: 2_000 }).toEqual([]);

/** Makes every text 40 per cent longer, as a wordier language would. */
function lengthen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const words = node.nodeValue ?? '';
      if (words.trim() !== '')
        node.nodeValue = `${words} ${'ñ'.repeat(Math.ceil(words.length * 0.4))}`;
    }
  });
}

test.use({ contextOptions: { reducedMotion: 'reduce' } });

for (const language of ['en', 'ja'] as const) {
  test(`nothing is cut off or wider than the page, from 320 px on: ${language}`, async ({
    page,
  }) => {
    for (const path of PATHS) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
      await page.locator('main h1').waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await settled(page, `${path} at ${width} px`);
      }
    }
  });
}

test('nothing is cut off when every text is 40 % longer', async ({ page }) => {
  for (const path of PATHS) {
    await page.goto(path);
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');
    await lengthen(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page, `${path} at ${width} px`);
    }
  }
});

test('nothing moves while a screen loads', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        };
        if (!hadRecentInput)
          Object.assign(globalThis, { shifts: (globalThis as never)['shifts'] + value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const path of PATHS) {
    await page.goto(path);
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');

    const shifts = await page.evaluate(() => (globalThis as never)['shifts'] as number);
    expect(shifts, path).toBeLessThanOrEqual(0.02);
  }
});
