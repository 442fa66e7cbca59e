import type { Page } from 'playwright/test';
import { expect, test, UNREACHABLE } from './dashboard.ts';
import {
  bar,
  button,
  field,
  figure,
  inState,
  lengthOf,
  openLab,
  readout,
  soon,
  stepOf,
  TALL,
  trainButton,
  trainUntil,
  written,
} from './lab.ts';

test.use({ viewport: TALL });

/** Large enough that threads share the work of a step. */
const SHARED =
  'text=stories&d_model=64&n_heads=4&num_blocks=2&time_steps=4&seq_len=32&batch_size=8&learning_rate=0.001&ngram_order=0&budget_in=steps&check_every=1000';

/** Serves the page as a server does that does not isolate it from other origins. */
async function withoutIsolation(page: Page): Promise<void> {
  await page.route('**/lab?*', async (route) => {
    const answer = await route.fetch();
    const headers = Object.entries(answer.headers()).filter(
      ([name]) => !name.startsWith('cross-origin-'),
    );
    await route.fulfill({ response: answer, headers: Object.fromEntries(headers) });
  });
}

/** Trains until the loss has fallen by a nat and a half. */
async function learn(page: Page): Promise<void> {
  await button(page, 'One step').click();
  await soon(() => readout(page, 'Loss')).toBeGreaterThan(5);
  const first = await readout(page, 'Loss');
  await trainButton(page).click();
  await soon(() => readout(page, 'Loss')).toBeLessThan(first - 1.5);
  await expect(figure(page, 'Loss').locator('figcaption')).toContainText('falling');
}

test('an isolated page learns on all cores', { tag: '@full' }, async ({ page }) => {
  await openLab(page, `${SHARED}&budget=100000`);
  await learn(page);
});

test(
  'a page that is not isolated trains on one thread, says so, and learns the same',
  { tag: '@full' },
  async ({ page }) => {
    const validation = async () => {
      await trainUntil(page, 6);
      await inState(page, 'Finished');
      return readout(page, 'Validation');
    };
    await openLab(page, `${SHARED}&budget=6`);
    const onAllCores = await validation();
    await withoutIsolation(page);
    await page.reload();
    expect(await validation()).toBe(onAllCores);
    await expect(bar(page)).toContainText(
      'WASM on one thread: this page is not cross-origin isolated',
    );

    await page.goto(`/lab?${SHARED}&budget=6&lang=ja`);
    await button(page, '1 ステップ').click();
    await expect(page.getByText(/^WASM \(1 スレッド: /)).toBeVisible();
  },
);

test('a pause takes effect and text is generated while all cores train', async ({ page }) => {
  const threads: string[] = [];
  page.on('request', (request) => {
    if (/\/thread-web-[^/]*\.js$/.test(request.url())) threads.push(request.url());
  });
  await openLab(page, `${SHARED}&budget=100000&tokens=100000`);
  await trainUntil(page, 3);
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  await expect(bar(page)).toContainText(`WASM on ${cores} threads`);
  // The engine's own thread is one of them.
  expect(threads).toHaveLength(cores - 1);
  await field(page, 'Prompt').fill('The ');
  await button(page, 'Generate').click();
  await soon(() => lengthOf(written(page))).toBeGreaterThan(30);
  const [step, length] = [await stepOf(page), await lengthOf(written(page))];
  await soon(() => stepOf(page)).toBeGreaterThan(step);
  await soon(() => lengthOf(written(page))).toBeGreaterThan(length);
  await button(page, 'Stop').click();
  await expect(page.getByText(/^[\d,]+ tokens in [\d.]+ s$/)).toBeVisible();

  await button(page, 'Pause').click();
  await inState(page, 'Paused');
  const held = await stepOf(page);
  await button(page, 'Generate').click();
  await soon(() => lengthOf(written(page))).toBeGreaterThan(30);
  expect(await stepOf(page)).toBe(held);
});

test(
  'a thread that cannot be started ends the run and not the lab',
  { tag: '@full' },
  async ({ page, expected }) => {
    expected.push(UNREACHABLE);
    const threads = /\/thread-web-[^/]*\.js$/;
    await page.route(threads, (route) => route.abort());
    await openLab(page, `${SHARED}&budget=100000`);
    await trainButton(page).click();
    await expect(page.getByRole('alert')).toContainText('its script cannot be loaded');

    await page.unroute(threads);
    await button(page, 'Start over').click();
    await trainUntil(page, 2);
    await inState(page, 'Training');
  },
);
