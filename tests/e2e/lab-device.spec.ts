import { violations } from './axe.ts';
import { expect, test } from './dashboard.ts';
import {
  bar,
  button,
  FAST,
  figure,
  inState,
  openLab,
  pause,
  readout,
  soon,
  stepOf,
  TALL,
  trainButton,
  trainUntil,
} from './lab.ts';

test.use({ viewport: TALL });

test(
  'a lost device is told, and training goes on from the last checkpoint',
  { tag: '@full' },
  async ({ page, browser, expected }) => {
    expected.push(/./);
    await openLab(page, `${FAST}&device=webgpu&budget=5000`);
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
    await button(page, `Resume from step ${step}`).click();
    await soon(() => stepOf(page)).toBeGreaterThan(step);
    await inState(page, 'Training');
  },
);

test('a GPU that is none is named where it is chosen, and WASM is one click away', async ({
  page,
}) => {
  await openLab(page, FAST);
  const notice = page.getByText('WebGPU runs on the processor here: google swiftshader.');
  await expect(notice).toBeHidden();
  await page.getByRole('combobox', { name: 'Device' }).selectOption('WebGPU');
  await expect(notice).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await button(page, 'One step').click();
  await inState(page, 'Paused');
  await expect(bar(page)).toContainText('WebGPU on the processor');
  await expect(notice).toBeVisible();
  await expect(button(page, 'Use WASM instead')).toBeHidden();
  await button(page, 'Reset').click();
  await button(page, 'Use WASM instead').click();
  await expect(notice).toBeHidden();
  await expect(page).toHaveURL(/device=wasm/);
  await button(page, 'One step').click();
  await expect(bar(page)).toContainText(/WASM on \d+ threads?/);
});

test(
  'without WebGPU the lab trains all the same, and says what is missing when asked for it',
  { tag: '@full' },
  async ({ playwright, baseURL }) => {
    const { launchOptions } = test.info().project.use;
    const browser = await playwright.chromium.launch({ ...launchOptions, args: ['--no-sandbox'] });
    const page = await browser.newPage({ locale: 'en-US', viewport: TALL, baseURL: baseURL! });
    await openLab(page, FAST);
    await button(page, 'One step').click();
    await inState(page, 'Paused');
    await expect(bar(page)).toContainText(/WASM on \d+ threads?/);
    await expect(page.getByText(/^This browser has/)).toBeHidden();

    await page.goto(`/lab?${FAST}&device=webgpu`);
    await expect(page.getByText(/^This browser has/)).toBeVisible();
    await button(page, 'One step').click();
    await expect(page.getByRole('alert')).toContainText('This device cannot be used here.');
    await button(page, 'Start over').click();
    await button(page, 'Use WASM instead').click();
    await button(page, 'One step').click();
    await inState(page, 'Paused');
    await browser.close();
  },
);

test('the reference trains in float64', { tag: '@full' }, async ({ page }) => {
  await openLab(page, `${FAST}&d_model=8&seq_len=8&batch_size=2&device=reference`);
  await trainUntil(page, 2);
  await expect(bar(page)).toContainText('float64');
  await expect(figure(page, 'Loss')).toBeVisible();
  expect(await readout(page, 'Loss')).toBeGreaterThan(0);
});
