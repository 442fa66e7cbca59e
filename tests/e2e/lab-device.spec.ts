import { expect, test } from './dashboard.ts';
import {
  bar,
  button,
  FAST,
  inState,
  openLab,
  pause,
  soon,
  stepOf,
  TALL,
  trainButton,
  trainUntil,
} from './lab.ts';

test.use({ viewport: TALL });

test('a lost device is told, and training goes on from the last checkpoint', async ({
  page,
  browser,
  expected,
}) => {
  expected.push(/./);
  await openLab(page, `${FAST}&budget=5000`);
  await trainUntil(page, 3);
  await pause(page);
  const step = await stepOf(page);
  await trainButton(page).click();
  await soon(() => stepOf(page)).toBeGreaterThan(step);
  const system = await browser.newBrowserCDPSession();
  await system.send('Browser.crashGpuProcess');

  await expect(page.getByRole('alert')).toContainText('The device was lost');
  await expect(page.getByRole('alert')).toContainText(
    `The checkpoint of step ${step} is in memory`,
  );
  await button(page, `Go on from step ${step}`).click();
  await soon(() => stepOf(page)).toBeGreaterThan(step);
  await inState(page, 'Training');
});

test('without WebGPU the lab says so, and the reference trains all the same', async ({
  playwright,
  baseURL,
}) => {
  const { launchOptions } = test.info().project.use;
  const browser = await playwright.chromium.launch({ ...launchOptions, args: ['--no-sandbox'] });
  const page = await browser.newPage({ locale: 'en-US', viewport: TALL, baseURL: baseURL! });
  await openLab(page, `${FAST}&d_model=8&seq_len=8&batch_size=2`);
  await expect(page.getByText(/^This browser has/)).toBeVisible();
  await button(page, 'Use the reference instead').click();
  await expect(page).toHaveURL(/device=reference/);

  await trainUntil(page, 2);
  await expect(bar(page)).toContainText('float64');
  await browser.close();
});
