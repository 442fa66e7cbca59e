import type { Page } from 'playwright/test';
import { expectAccessibleIn } from './axe.ts';
import { test } from './dashboard.ts';
import { LANGUAGES } from './languages.ts';
import { RICH } from './models.ts';
import { visit } from './visit.ts';

/** Every screen in every state it has, by its path and what has to be there before it is looked at. */
const SCREENS = [
  { path: '/', ready: 'ol a' },
  { path: '/models', ready: 'table' },
  { path: '/models?name=nothing-like-it', ready: 'search + div' },
  { path: `/models/${RICH.id}`, ready: 'table' },
  { path: `/models/${RICH.id}?tab=details`, ready: 'pre' },
  { path: `/models/${RICH.id}?tab=versions`, ready: 'table' },
  { path: `/models/${RICH.id}?tab=compare&compare=1.0.0`, ready: '[role=tabpanel] section' },
  { path: `/models/${RICH.id}?tab=lineage`, ready: '[role=tabpanel] > *' },
  { path: '/models/letters-01', ready: '[role=tabpanel] > div' },
  { path: '/models/no-such-model', ready: '[role=alert]' },
  { path: '/logs', ready: 'code' },
  { path: '/logs?find=[&mode=regex', ready: '[aria-invalid]' },
  { path: '/brain', ready: 'code' },
  { path: '/brain/metrics', ready: 'figure' },
  { path: '/memory', ready: 'search + div' },
  { path: '/memory?tab=causes', ready: 'search + div' },
  { path: '/sensors', ready: 'code' },
  { path: '/tests', ready: 'code' },
  { path: '/regions', ready: 'table[role=grid]' },
  { path: '/regions?region=ap-northeast-1', ready: 'dl' },
  { path: '/evaluate', ready: 'h2' },
  { path: '/settings', ready: 'dl' },
  { path: '/no/such/screen', ready: 'h1' },
];
// Nothing moves, so that each look is at the same page.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function expectAccessibleScreens(page: Page, screens: typeof SCREENS, language: string) {
  for (const { path, ready } of screens) {
    const joint = path.includes('?') ? '&' : '?';
    await visit(page, `${path}${joint}lang=${language}`);
    await page.locator(`main ${ready}`).first().waitFor();
    await expectAccessibleIn(language, page, path);
  }
}

for (const [index, { language, details }] of LANGUAGES.entries()) {
  // Every second screen in English, the others in Japanese; `npm run test:full` has it the other way round.
  const [half, otherHalf] = [index, 1 - index].map((first) =>
    SCREENS.filter((_, place) => place % 2 === first),
  );
  test(`every second screen is accessible: ${language}`, async ({ page, expected }) => {
    expected.push(/Failed to load resource/);
    await expectAccessibleScreens(page, half!, language);
  });

  test(
    `the screens between them are accessible: ${language}`,
    { tag: '@full' },
    async ({ page, expected }) => {
      expected.push(/Failed to load resource/);
      await expectAccessibleScreens(page, otherHalf!, language);
    },
  );

  test(
    `the drawer, a table and errors are accessible: ${language}`,
    details,
    async ({ page, expected }) => {
      expected.push(/Failed to load resource/);
      await page.setViewportSize({ width: 360, height: 720 });
      await page.route('**/services', (route) => route.abort());
      await page.goto(`/?lang=${language}`);
      await page.getByRole('alert').waitFor();
      await page.getByRole('figure').getByRole('radio').last().check();
      await expectAccessibleIn(language, page, 'a table instead of a plot, and an error');

      await page.getByRole('banner').getByRole('button').click();
      await page.getByRole('dialog').waitFor();
      await expectAccessibleIn(language, page, 'the drawer');
    },
  );
}
