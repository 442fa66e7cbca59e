import type { Page } from 'playwright/test';
import { PAGES } from '../../edge/gateway/contract/pages.ts';
import { expect, REFUSED, test } from './dashboard.ts';
import { expectRoom, lengthen } from './layout.ts';
import { RICH } from './models.ts';
import { visit } from './visit.ts';

/** Every screen, and the states of some. */
const PATHS = [
  ...PAGES.filter((path) => !path.includes(':')),
  '/plugins?plugin=SpikeTrainStatisticsPlugin',
  '/jobs?new={}',
  `/models/${RICH.id}`,
  `/models/${RICH.id}?tab=details`,
  `/models/${RICH.id}?tab=versions`,
  `/models/${RICH.id}?tab=compare&compare=1.0.0`,
  '/alerts?tab=rules',
  '/alerts?rule=slow-requests',
  '/memory?tab=causes',
  '/regions?region=ap-northeast-1',
  '/gateway?service=registry',
  '/keys?tab=audit',
  '/docs?op=gateway_registerService',
];

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeEach(({ expected }) => {
  // The playground asks for an inference service, and this platform has none.
  expected.push(REFUSED);
});

/** Waits until what was asked for is there: no room is kept for it any more. */
async function loaded(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  await expect(page.locator('main [class*="_lines_"]')).toHaveCount(0);
}

test('nothing is cut off or wider than the page, from 320 px on: ja', async ({ page }) => {
  for (const path of PATHS) {
    await visit(page, `${path}${path.includes('?') ? '&' : '?'}lang=ja`);
    await loaded(page);
    await expectRoom(page, path);
  }
});

// One visit for both, as loading a screen takes longer than any look at it. What has room with longer
// texts has it with its own, which are their beginnings.
test('in English nothing moves while a screen loads, nor is cut off 40 % longer', async ({
  page,
}) => {
  await page.addInitScript(addUpShifts);
  for (const path of PATHS) {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(path);
    await loaded(page);
    // A stream of events that stays open is never idle.
    if (path !== '/') await page.waitForLoadState('networkidle');
    const shifts = await page.evaluate(() => (globalThis as never)['shifts'] as number);
    expect(shifts, path).toBeLessThanOrEqual(0.02);

    await lengthen(page);
    await expectRoom(page, `${path}, longer,`);
  }
});

/** Runs in the page: how far all that moved by itself has moved, in `shifts`. */
function addUpShifts(): void {
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
}
