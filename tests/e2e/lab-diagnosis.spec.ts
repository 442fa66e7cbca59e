import { expect, test } from './dashboard.ts';
import { FROM_NOTHING, inState, openLab, stepOf, TALL, trainButton } from './lab.ts';

test.use({ viewport: TALL });

const SLOW = `${FROM_NOTHING}&device=wasm&budget=40&learning_rate=0.00001`;

test('a run that learns nothing is diagnosed, and another is made of it', async ({ page }) => {
  await openLab(page, SLOW);
  await trainButton(page).click();
  await inState(page, 'Finished');

  const panel = page.getByRole('region', { name: 'Diagnosis' });
  await expect(panel).toContainText('The learning rate is too low');
  await expect(panel).toContainText(/All updates together.*\(healthy: at least 0.3\)/);
  await expect(panel).toContainText('the last good checkpoint');
  await panel.locator('summary').click();
  await expect(panel.getByRole('table')).toBeVisible();

  await panel.getByRole('button', { name: /^Start a run with the learning rate 0\.\d+/ }).click();

  await inState(page, 'Finished');
  await expect(panel).toContainText(
    'made of the run with the learning rate 0.00001, at its step 40',
  );
  await expect(panel).toContainText('Nothing is wrong that is known, at step 40');
  expect(await stepOf(page)).toBe(40);
  expect(new URL(page.url()).searchParams.get('learning_rate')).toMatch(/^0\.0\d/);
});

test('a run that diverges says so in Japanese, too', { tag: '@full' }, async ({ page }) => {
  await openLab(page, `${FROM_NOTHING}&device=wasm&budget=400&learning_rate=10`);
  await trainButton(page).click();
  await expect(page.getByRole('region', { name: 'Diagnosis' })).toContainText(
    'The learning rate is too high',
    { timeout: 60_000 },
  );

  await page.getByRole('radio', { name: '日本語' }).check({ force: true });

  const panel = page.getByRole('region', { name: '診断' });
  await expect(panel).toContainText('学習率が高すぎます');
  await expect(
    panel.getByRole('button', { name: /^学習率 0\.\d+ で新しい実行を開始/ }),
  ).toBeEnabled();
});
