import type { Page } from 'playwright/test';
import { expect } from './dashboard.ts';

export const WIDTHS = [320, 640, 900, 1440];

/** Everything on the page that is wider than its room: of the page itself, or of what cuts it off. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element) => {
      const { overflowX, clipPath } = getComputedStyle(element);
      // Elements hidden from sight on purpose are clipped on purpose.
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

/** Looks at the page in every width, each once React has moved what it moves. */
export async function expectRoom(page: Page, place: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const message = `${place} at ${width} px`;
    await expect
      .poll(() => overflowing(page), { message, timeout: 2_000, intervals: [20] })
      .toEqual([]);
  }
}

/** Makes every text 40 per cent longer, as a wordier language would. */
export function lengthen(page: Page): Promise<void> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const words = node.nodeValue ?? '';
      if (words.trim() !== '')
        node.nodeValue = `${words} ${'ñ'.repeat(Math.ceil(words.length * 0.4))}`;
    }
  });
}
