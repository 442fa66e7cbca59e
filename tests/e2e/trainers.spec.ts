import type { Page } from 'playwright/test';
import { expectAccessibleIn } from './axe.ts';
import { LANGUAGES } from './languages.ts';
import { cancel, expect, small, submit, test, until } from './training.ts';

const lend = (page: Page) => page.getByRole('button', { name: 'Share this tab' });
const tabRow = (page: Page) => page.getByRole('row', { name: /Chrome on Linux/ });

async function takeBack(page: Page): Promise<void> {
  await lend(page).click();
  await expect(page.getByText('This tab is not sharing its compute.')).toBeVisible();
}

/** So many steps that a test ends before it does. */
const FOR_LONG = 1_000_000;

test('a lent tab trains a job to its end, while one looks at other screens', async ({
  page,
  lonely,
}) => {
  const { url } = lonely;
  await page.goto(`${url}/trainers`);
  await expect(page.getByText('No trainer yet')).toBeVisible();
  await lend(page).click();
  await expect(tabRow(page)).toContainText('Idle');

  const { job_id: id } = await submit(url, { ...small(600), output_name: 'from-a-tab' });
  await expect(page.getByRole('link', { name: 'from-a-tab' })).toBeVisible();
  await expect(page.getByText(/^step \d/)).toBeVisible();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  const job = await until(url, id, ({ status }) => status === 'succeeded');

  expect(job.device).toMatch(/^WASM/);
  expect(job.model).toMatchObject({ model_id: 'from-a-tab', version: '1.0.0' });
  await page.getByRole('link', { name: 'Trainers', exact: true }).click();
  await expect(lend(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(tabRow(page)).toContainText('1 done, 0 failed');
  await takeBack(page);
});

test(
  'a tab that is no longer lent gives its job back with a checkpoint',
  { tag: '@full' },
  async ({ page, lonely }) => {
    const { url } = lonely;
    const request = { ...small(FOR_LONG), output_name: 'given-back', checkpoint_every: 900_000 };
    const { job_id: id } = await submit(url, request);
    await page.goto(`${url}/trainers`);
    await lend(page).click();
    await until(url, id, ({ progress }) => progress.step > 0);
    await takeBack(page);
    const given = await until(url, id, ({ status }) => status === 'recovering');

    const [checkpoint] = given.checkpoints;
    expect(given.attempts).toMatchObject([{ outcome: 'released' }]);
    expect(checkpoint?.step).toBeGreaterThan(0);
    await lend(page).click();
    const again = await until(url, id, ({ attempts }) => attempts.length === 2);
    expect(again.attempts[1]?.from_step).toBe(checkpoint?.step);
    await cancel(url, id);
    await until(url, id, ({ status }) => status === 'cancelled');
    await takeBack(page);
  },
);

test('a tab that is closed asks first, and its job goes on elsewhere at once', async ({
  page,
  lonely,
}) => {
  const { url } = lonely;
  const { job_id: id } = await submit(url, { ...small(FOR_LONG), output_name: 'left' });
  await page.goto(`${url}/trainers`);
  await lend(page).click();
  await until(url, id, ({ progress }) => progress.step > 0);

  const asked = page.waitForEvent('dialog');
  void page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  const leftAt = Date.now();
  await question.accept();
  const left = await until(url, id, ({ status }) => status !== 'running');

  expect(left.attempts).toMatchObject([{ outcome: 'released' }]);
  // A lease that nobody ends is lost after 10 s only.
  expect(Date.now() - leftAt).toBeLessThan(8_000);
  await cancel(url, id);
});

test('an admin drains a trainer and lets it go on', async ({ page, lonely }) => {
  await page.goto(`${lonely.url}/trainers`);
  await lend(page).click();
  const row = page.getByRole('row', { name: /Chrome on Linux.*Idle/ });
  await row.getByRole('button', { name: 'Drain Chrome on Linux' }).click();
  await expect(page.getByText('Chrome on Linux accepts no new jobs')).toBeVisible();
  const draining = page.getByRole('row', { name: /Chrome on Linux.*Draining/ });
  await draining.getByRole('button', { name: 'End draining Chrome on Linux' }).click();
  await expect(row).toBeVisible();
  await takeBack(page);
});

test('the command that lends a machine is copied whole', async ({ page, context, lonely }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${lonely.url}/trainers`);
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await expect(page.getByText('Copied')).toBeVisible();

  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `npm run spikegrid -- trainer --gateway ${lonely.url} --data ./data`,
  );
});

for (const { language, details } of LANGUAGES) {
  test(`the screen is accessible: ${language}`, details, async ({ page, lonely }) => {
    await page.goto(`${lonely.url}/trainers?lang=${language}`);
    await page.getByRole('button', { pressed: false }).first().click();
    await tabRow(page).first().waitFor();
    await expectAccessibleIn(language, page, 'the trainers');
    await page.getByRole('button', { pressed: true }).click();
    await page.getByRole('button', { pressed: true }).waitFor({ state: 'hidden' });
  });
}
